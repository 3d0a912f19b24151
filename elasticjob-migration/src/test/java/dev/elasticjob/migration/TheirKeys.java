package dev.elasticjob.migration;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All keys of 2.1.5 and 3.0.4, from their released jars, which are in a folder. */
final class TheirKeys {
    private static final String XSD = "http://www.w3.org/2001/XMLSchema";
    private static final String BOOT =
            "org.apache.shardingsphere.elasticjob.lite.spring.boot.job.ElasticJobConfigurationProperties";
    private static final String STORED = "org.apache.shardingsphere.elasticjob.infra.pojo.JobConfigurationPOJO";
    private static final String ANNOTATION = "org.apache.shardingsphere.elasticjob.annotation.ElasticJobConfiguration";

    /** The last namespace jar that can be had is of 3.0.0. These are in the schema of later versions. */
    private static final List<Attribute> LATER_THAN_3_0_0 =
            List.of(new Attribute("job", "time-zone"), new Attribute("job-scanner", "base-package"));

    record Attribute(String element, String name) {
        @Override
        public String toString() {
            return element + "@" + name;
        }
    }

    private TheirKeys() {}

    static List<Attribute> jobXml2() {
        return attributes("elastic-job-lite-spring", "META-INF/namespace/job.xsd");
    }

    static List<Attribute> registryXml2() {
        return attributes("elastic-job-lite-spring", "META-INF/namespace/reg.xsd");
    }

    static List<Attribute> xml3() {
        return Stream.concat(
                        attributes("elasticjob-lite-spring-namespace", "META-INF/namespace/elasticjob.xsd").stream(),
                        LATER_THAN_3_0_0.stream())
                .toList();
    }

    /** Of a job in the properties of 3.x. */
    static Set<String> bootJob() {
        return fields("elasticjob-lite-spring-boot-starter", BOOT);
    }

    /** All others there, below {@code elasticjob}. */
    static Set<String> boot() {
        String metadata = text("elasticjob-lite-spring-boot-starter", "META-INF/spring-configuration-metadata.json");
        Set<String> names = new TreeSet<>();
        for (JsonNode property : JsonMapper.builder().build().readTree(metadata).get("properties")) {
            names.add(property.get("name").asString().replaceFirst("^elasticjob\\.", ""));
        }
        names.remove("jobs");
        return names;
    }

    /** Of a config node of 3.x. */
    static Set<String> stored3() {
        return fields("elasticjob-infra-common", STORED);
    }

    /** Of a config node of 2.1.5, which the core writes itself. */
    static Set<String> stored2() {
        JobDefinition definition =
                JobDefinition.builder("any").cron("0 0 0 * * ?").build();
        Set<String> keys = new TreeSet<>();
        JsonMapper.builder()
                .build()
                .readTree(new JobDefinitionCodec().config(definition, Optional.empty()))
                .properties()
                .forEach(member -> {
                    if (member.getValue().isObject()) {
                        member.getValue().propertyNames().forEach(name -> keys.add(member.getKey() + "." + name));
                    } else {
                        keys.add(member.getKey());
                    }
                });
        return keys;
    }

    /** Attributes of {@code @ElasticJobConfiguration}. */
    static Set<String> annotation3() {
        return inLoader("elasticjob-api", loader -> {
            Set<String> names = new TreeSet<>();
            for (Method attribute : loader.loadClass(ANNOTATION).getDeclaredMethods()) {
                names.add(attribute.getName());
            }
            return names;
        });
    }

    private static List<Attribute> attributes(String jar, String entry) {
        try {
            var factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            Document schema;
            try (JarFile file = new JarFile(jar(jar).toFile());
                    InputStream input = file.getInputStream(file.getEntry(entry))) {
                schema = factory.newDocumentBuilder().parse(input);
            }
            List<Attribute> base = new ArrayList<>();
            List<Attribute> all = new ArrayList<>();
            for (Element type : elements(schema.getDocumentElement(), "complexType")) {
                if (type.getAttribute("name").equals("base")) {
                    elements(type, "attribute").forEach(each -> base.add(new Attribute("", each.getAttribute("name"))));
                }
            }
            for (Element element : elements(schema.getDocumentElement(), "element")) {
                String name = element.getAttribute("name");
                elements(element, "attribute").forEach(each -> all.add(new Attribute(name, each.getAttribute("name"))));
                boolean extendsBase = elements(element, "extension").stream()
                        .anyMatch(each -> each.getAttribute("base").equals("base"));
                if (extendsBase) {
                    base.forEach(each -> all.add(new Attribute(name, each.name())));
                }
            }
            return all;
        } catch (Exception e) {
            throw new IllegalStateException("The schema \"%s\" in \"%s\" could not be read".formatted(entry, jar), e);
        }
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList nodes = parent.getElementsByTagNameNS(XSD, name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }

    private static Set<String> fields(String jar, String type) {
        return inLoader(jar, loader -> {
            Set<String> names = new TreeSet<>();
            for (Field field : loader.loadClass(type).getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    names.add(field.getName());
                }
            }
            return names;
        });
    }

    private interface Reading<T> {
        T from(ClassLoader loader) throws ClassNotFoundException;
    }

    private static <T> T inLoader(String jar, Reading<T> reading) {
        try (var loader = new URLClassLoader(
                new URL[] {
                    jar(jar).toUri().toURL(), jar("elasticjob-api").toUri().toURL()
                },
                ClassLoader.getPlatformClassLoader())) {
            return reading.from(loader);
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("The jar \"%s\" could not be read".formatted(jar), e);
        }
    }

    private static String text(String jar, String entry) {
        try (JarFile file = new JarFile(jar(jar).toFile());
                InputStream input = file.getInputStream(file.getEntry(entry))) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("The entry \"%s\" in \"%s\" could not be read".formatted(entry, jar), e);
        }
    }

    private static Path jar(String artifact) {
        Path folder = Path.of(System.getProperty("their.jars"));
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.filter(jar -> jar.getFileName().toString().matches(artifact + "-\\d.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new IllegalStateException("The folder \"%s\" could not be listed".formatted(folder), e);
        }
    }
}

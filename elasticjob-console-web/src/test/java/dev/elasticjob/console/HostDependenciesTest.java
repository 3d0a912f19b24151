package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What an application gets with the console, as far as the POMs of this project say it. */
class HostDependenciesTest {
    private static final Path ROOT = Path.of("..");
    private static final String OURS = "dev.elasticjob";

    @Test
    void theConsoleBringsNothingThatTheStarterDoesNotBring() throws Exception {
        Set<String> ofStarter = broughtBy("elasticjob-spring-boot-starter");

        Set<String> ofConsole = broughtBy("elasticjob-console-spring-boot-starter");

        assertThat(ofStarter)
                .contains("org.apache.curator:curator-framework", "org.springframework.boot:spring-boot-starter");
        assertThat(ofConsole).isEqualTo(ofStarter);
    }

    /** The artifacts of others that a module, and the modules of ours behind it, bring to an application. */
    private static Set<String> broughtBy(String module) throws Exception {
        Set<String> brought = new TreeSet<>();
        Set<String> seen = new HashSet<>(Set.of(module));
        Deque<String> modules = new ArrayDeque<>(seen);
        while (!modules.isEmpty()) {
            for (Element dependency : broughtDirectly(modules.remove())) {
                String artifact = text(dependency, "artifactId");
                if (!text(dependency, "groupId").equals(OURS)) {
                    brought.add(text(dependency, "groupId") + ":" + artifact);
                } else if (seen.add(artifact)) {
                    modules.add(artifact);
                }
            }
        }
        return brought;
    }

    /** By the module itself, and by its parent, whose dependencies each module inherits. */
    private static List<Element> broughtDirectly(String module) throws Exception {
        List<Element> all = new ArrayList<>();
        for (Path pom : List.of(ROOT.resolve(module).resolve("pom.xml"), ROOT.resolve("pom.xml"))) {
            Element project = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getDocumentElement();
            children(project, "dependencies").forEach(list -> all.addAll(children(list, "dependency")));
        }
        all.removeIf(dependency -> text(dependency, "optional").equals("true")
                || Set.of("test", "provided").contains(text(dependency, "scope")));
        return all;
    }

    private static String text(Element parent, String name) {
        List<Element> found = children(parent, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent().strip();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }
}

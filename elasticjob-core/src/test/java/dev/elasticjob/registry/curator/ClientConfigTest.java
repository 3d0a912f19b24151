package dev.elasticjob.registry.curator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.curator.CuratorClient.ClientConfig;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientConfigTest {
    private final ClientConfig config = new ClientConfig();

    @Test
    void aPropertyThatIsNotSetIsThatOfTheJvm() {
        assertThat(config.getProperty("java.version")).isEqualTo(System.getProperty("java.version"));
        assertThat(config.getProperty("java.version", "other")).isEqualTo(System.getProperty("java.version"));
        assertThat(config.getProperty("test.absent")).isNull();
        assertThat(config.getProperty("test.absent", "other")).isEqualTo("other");
    }

    @Test
    void aPropertyThatIsSetIsNotThatOfTheJvm() {
        config.setProperty("java.version", "set");

        assertThat(config.getProperty("java.version")).isEqualTo("set");
        assertThat(config.getProperty("java.version", "other")).isEqualTo("set");
    }

    @Test
    void creatingItUsesNothingOfTls() throws ReflectiveOperationException, IOException {
        List<String> loaded = new ArrayList<>();
        try (var loader = new Recording(loaded)) {
            Class<?> again = loader.loadClass(Creating.class.getName());

            ((Runnable) again.getConstructor().newInstance()).run();
        }

        // The class itself is loaded to check the code that could use it; what is inside only when it is used.
        assertThat(loaded).contains(ClientConfig.class.getName()).noneMatch(name -> name.contains("X509Util$"));
    }

    /** Runs with classes of its own. */
    public static final class Creating implements Runnable {
        @Override
        public void run() {
            new ClientConfig().getProperty("zookeeper.client.secure");
        }
    }

    /** Loads the class path again, and records the names. */
    private static final class Recording extends URLClassLoader {
        private final List<String> loaded;

        Recording(List<String> loaded) throws MalformedURLException {
            super(classPath(), ClassLoader.getPlatformClassLoader());
            this.loaded = loaded;
        }

        private static URL[] classPath() throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            Class<?> found = super.findClass(name);
            loaded.add(name);
            return found;
        }
    }
}

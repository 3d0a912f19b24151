package dev.elasticjob.spring.autoconfigure;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.ProxyFactory;

/**
 * A port of the engine as a bean, which fetches the engine at the first call. So it can be injected into beans that the
 * engine itself depends on, such as customizers and listeners.
 */
final class LatePort<T> implements TargetSource {
    private final Class<T> port;
    private final Supplier<? extends T> lookup;
    // The target is always the same, so a race is harmless.
    private volatile @Nullable T found;

    private LatePort(Class<T> port, Supplier<? extends T> lookup) {
        this.port = port;
        this.lookup = lookup;
    }

    /** @param lookup returns the port, always the same one */
    static <T> T of(Class<T> port, Supplier<? extends T> lookup) {
        var proxies = new ProxyFactory();
        proxies.addInterface(port);
        proxies.setTargetSource(new LatePort<>(port, lookup));
        return port.cast(proxies.getProxy(port.getClassLoader()));
    }

    @Override
    public Class<?> getTargetClass() {
        return port;
    }

    @Override
    public Object getTarget() {
        T present = found;
        if (present == null) {
            present = lookup.get();
            found = present;
        }
        return present;
    }
}

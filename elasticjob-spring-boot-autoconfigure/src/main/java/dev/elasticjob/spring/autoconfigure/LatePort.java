package dev.elasticjob.spring.autoconfigure;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.ProxyFactory;

/**
 * A port of the engine as a bean: asks for the engine with the first call. So what the engine is made with, customizers and
 * listeners above all, can have it injected.
 */
final class LatePort<T> implements TargetSource {
    private final Class<T> port;
    private final Supplier<? extends T> lookup;
    // The same one whoever writes it.
    private volatile @Nullable T found;

    private LatePort(Class<T> port, Supplier<? extends T> lookup) {
        this.port = port;
        this.lookup = lookup;
    }

    /** @param lookup gives the port, the same one each time */
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

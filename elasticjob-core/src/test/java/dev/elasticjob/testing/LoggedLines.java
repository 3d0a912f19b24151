package dev.elasticjob.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What we log from INFO on while this is open, and nowhere else; each line as {@code LEVEL message}. Safe for use by any thread. */
public final class LoggedLines implements AutoCloseable {
    private final Heard<String> heard = new Heard<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.elasticjob");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            heard.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    private final @Nullable Level before = logger.getLevel();

    public LoggedLines() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
    }

    public List<String> all() {
        return heard.all();
    }

    /** Waits until a line has such a text in it, and gives the line. */
    public String await(String text) {
        heard.await("a line with \"" + text + "\"", lines -> lines.stream().anyMatch(line -> line.contains(text)));
        return all().stream().filter(line -> line.contains(text)).findFirst().orElseThrow();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
        logger.setAdditive(true);
    }
}

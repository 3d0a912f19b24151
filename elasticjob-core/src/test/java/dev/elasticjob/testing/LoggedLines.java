package dev.elasticjob.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What we log from INFO on while this is open, and nowhere else; each line as {@code LEVEL message}. Safe for use by any thread. */
public final class LoggedLines implements AutoCloseable {
    private final Heard<Line> heard = new Heard<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.elasticjob");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            heard.add(new Line(
                    event.getLevel() + " " + event.getFormattedMessage(),
                    event.getMDCPropertyMap(),
                    event.getThrowableProxy() != null));
        }
    };

    /**
     * One line.
     *
     * @param context what the MDC said on its thread
     * @param inFull whether a stack trace follows it
     */
    private record Line(String text, Map<String, String> context, boolean inFull) {}

    private final @Nullable Level before = logger.getLevel();

    public LoggedLines() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
    }

    public List<String> all() {
        return heard.all().stream().map(Line::text).toList();
    }

    /** Those that a stack trace follows. */
    public List<String> withStackTraces() {
        return heard.all().stream().filter(Line::inFull).map(Line::text).toList();
    }

    /** Waits until a line has such a text in it, and gives the line. */
    public String await(String text) {
        return awaitLine(text).text();
    }

    /** Waits for the same, and gives what the MDC said when the line was logged. */
    public Map<String, String> awaitContextOf(String text) {
        return awaitLine(text).context();
    }

    private Line awaitLine(String text) {
        heard.await(
                "a line with \"" + text + "\"",
                lines -> lines.stream().anyMatch(line -> line.text().contains(text)));
        return heard.all().stream()
                .filter(line -> line.text().contains(text))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
        logger.setAdditive(true);
    }
}

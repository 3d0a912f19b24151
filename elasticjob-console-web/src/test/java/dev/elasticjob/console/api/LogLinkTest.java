package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of a log system that a console may be given. */
class LogLinkTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://logs.example.com/search?q=job:{job}+run:{runId}&from={from}&to={to}",
                "HTTP://localhost:3000/explore?left=%7B%22item%22:{item}%7D&from={fromMillis}&to={toMillis}#{instance}",
                "https://logs.example.com"
            })
    void oneOfAFixedServerIsAccepted(String template) {
        assertThat(new LogLink(template).template()).isEqualTo(template);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "logs.example.com/{job}                   | must begin with http:// or https:// and a server",
                "javascript:alert({job})                  | must begin with http:// or https:// and a server",
                "https://{job}.example.com/               | must begin with http:// or https:// and a server",
                "https://mei:secret@logs.example.com/     | without a user",
                "https://logs.example.com/{traceId}/{x}   | has {traceId}, {x}: expected placeholders of {job}, {item}, {runId}, {instance}, {from}, {to}, {fromMillis}, {toMillis}",
                "https://logs.example.com/{job            | has a brace that belongs to no placeholder: write %7B",
                "https://logs.example.com/?q=a b          | is no valid address between its placeholders",
                "https://logs.example.com/?q=%zz          | is no valid address between its placeholders",
                "''                                       | must begin with http:// or https:// and a server"
            })
    void anythingElseSaysWhatIsWrong(String template, String problem) {
        assertThat(LogLink.problems(template)).singleElement().asString().contains(problem);
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        assertThatThrownBy(() -> new LogLink("ftp://logs/{trace}?{"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The link to the log system must begin")
                .hasMessageContaining("; it has {trace}: expected")
                .hasMessageContaining("; it has a brace that belongs to no placeholder");
    }
}

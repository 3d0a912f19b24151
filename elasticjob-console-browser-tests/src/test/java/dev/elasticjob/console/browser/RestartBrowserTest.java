package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** An instance that restarts, and gets its items back: what the page of a job says meanwhile. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestartBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String DELAY = "--elasticjob.rebalance-delay=10m";

    private ConfigurableApplicationContext first;
    private Browser browser;

    @BeforeAll
    void start() {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        first = Yard.run("10.0.0.1", DELAY);
        browser = Browser.at(Yard.address(first));
    }

    @AfterAll
    void stop() {
        browser.close();
        first.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    @Test
    void aJobSaysUntilWhenItsItemsWaitForTheInstanceThatRestarts() {
        Page page = browser.open("?job=slow", 1280, "light", "en-US");
        Locator rows = page.locator("main");
        try (ConfigurableApplicationContext second = Yard.join(first, "10.0.0.2", DELAY)) {
            assertThat(rows).containsText("10.0.0.2@-@");
        }
        assertThat(rows.locator(".badge").filter(new Locator.FilterOptions().setHasText("successor")))
                .containsText(Pattern.compile("stopped; its items wait for its successor until .*\\d"));
        assertThat(rows).not().containsText("is gone");
        Browser.assertAccessible(page, "a job whose instance is awaited");
        Looks.assertRight(page, "a job whose instance is awaited");

        try (ConfigurableApplicationContext second = Yard.join(first, "10.0.0.2", DELAY)) {
            assertThat(rows).not().containsText("successor");
            assertThat(rows).containsText("joined");
        }
        page.context().close();
    }
}

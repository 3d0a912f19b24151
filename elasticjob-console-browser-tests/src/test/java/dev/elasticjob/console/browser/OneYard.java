package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** One instance of the {@link Yard} and a browser, for all tests of a class; nothing may go wrong in its pages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OneYard {
    private final String[] properties;

    ConfigurableApplicationContext yard;
    Browser browser;

    /** @param properties of the instance, as arguments */
    OneYard(String... properties) {
        this.properties = properties;
    }

    @BeforeAll
    void startYard() {
        setDefaultAssertionTimeout(60_000);
        yard = Yard.run("10.0.0.1", properties);
        browser = Browser.at(Yard.address(yard));
    }

    @AfterAll
    void stopYard() {
        browser.close();
        yard.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }
}

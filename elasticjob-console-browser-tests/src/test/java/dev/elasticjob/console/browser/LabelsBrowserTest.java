package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A job that chooses its instances by their labels, of which one doesn't match. */
class LabelsBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String RUN_ON = "--elasticjob.jobs.invoices.run-on=disk=ssd";

    @Test
    void theInstanceThatDoesNotMatchIsMarkedWhereverItIsShown() {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        try (ConfigurableApplicationContext first =
                        Yard.run("10.0.0.1", RUN_ON, "--elasticjob.worker.labels.disk=ssd");
                ConfigurableApplicationContext second = Yard.join(
                        first,
                        "10.0.0.2",
                        RUN_ON,
                        "--elasticjob.worker.labels.disk=magnetic",
                        "--elasticjob.worker.labels.zone=rack-17-of-the-old-building");
                Browser browser = Browser.at(Yard.address(first))) {
            assertThatIsMarked(browser);
            browser.assertNothingWentWrong();
        }
    }

    private static void assertThatIsMarked(Browser browser) {
        Page page = browser.open("?job=invoices", 1280, "light", "en-US");
        Locator matching = page.locator("tr").filter(with("10.0.0.1")).first();
        Locator other = page.locator("tr").filter(with("10.0.0.2")).first();
        assertThat(matching).containsText("disk=ssd");
        assertThat(matching).not().containsText("doesn’t match");
        assertThat(other).containsText("doesn’t match");
        assertThat(other).containsText("disk=magnetic");
        assertThat(other).containsText("zone=rack-17-of-the-old-building");
        Looks.assertRight(page, "the instances of a job that chooses them");

        page.context().close();

        page = browser.open("?view=servers&server=10.0.0.2", 1280, "light", "en-US");
        Locator invoices = page.locator(".parts tbody tr").filter(with("invoices"));
        assertThat(invoices).containsText("doesn’t match");
        assertThat(page.locator(".parts tbody tr").filter(with("slow"))).not().containsText("doesn’t match");
        page.context().close();
    }

    private static Locator.FilterOptions with(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }
}

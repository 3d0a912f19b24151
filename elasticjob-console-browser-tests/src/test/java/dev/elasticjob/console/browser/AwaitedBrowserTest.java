package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** An instance that has stopped, whose items wait for the one that replaces it: nobody will come. */
class AwaitedBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String DELAY = "--elasticjob.rebalance-delay=30m";

    @Test
    void anOperatorWaitsNoLongerInOneJobAndThenInAll() {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        try (ConfigurableApplicationContext first = Yard.run("10.0.0.1", DELAY);
                Browser browser = Browser.at(Yard.address(first))) {
            ConfigurableApplicationContext second = Yard.join(first, "10.0.0.2", DELAY);
            Page page = browser.open("?job=slow", 1280, "light", "en-US");
            assertThat(row(page, "10.0.0.2").locator(".square")).hasCount(2);
            second.close();

            assertThat(row(page, "10.0.0.2")).containsText("stopped; its items wait for its successor until");
            Looks.assertRight(page, "an instance that is awaited");
            Browser.assertAccessible(page, "an instance that is awaited");
            row(page, "10.0.0.2").locator(".square").first().click();
            Locator why = page.locator(".panel");
            assertThat(why).containsText("drain the instance");
            button(why, "Wait no longer").click();
            confirm(page, "2 items move to other instances", "Wait no longer");

            assertThat(page.locator(".notice")).containsText("wait no longer");
            assertThat(page.locator(".notice").getByRole(AriaRole.BUTTON, exactly("Undo")))
                    .hasCount(0);
            assertThat(row(page, "10.0.0.2")).hasCount(0);
            assertThat(row(page, "10.0.0.1").locator(".square")).hasCount(4);

            page.context().close();
            page = browser.open("?job=invoices", 1280, "dark", "zh-CN");
            assertThat(row(page, "10.0.0.2")).containsText("前等待接替实例");
            button(row(page, "10.0.0.2"), "在所有作业中不再等待").click();
            confirm(page, "1 个作业的分片项在等待其接替实例", "在所有作业中不再等待");
            assertThat(row(page, "10.0.0.2")).hasCount(0);
            page.context().close();
            browser.assertNothingWentWrong();
        }
    }

    private static Locator row(Page page, String instance) {
        return page.locator(".map tbody tr").filter(new Locator.FilterOptions().setHasText(instance));
    }

    private static Locator button(Locator within, String name) {
        return within.getByRole(AriaRole.BUTTON, exactly(name));
    }

    private static Locator.GetByRoleOptions exactly(String name) {
        return new Locator.GetByRoleOptions().setName(name).setExact(true);
    }

    private static void confirm(Page page, String effect, String button) {
        Locator dialog = page.locator("dialog");
        assertThat(dialog).containsText(effect);
        button(dialog, button).click();
        assertThat(dialog).hasCount(0);
    }
}

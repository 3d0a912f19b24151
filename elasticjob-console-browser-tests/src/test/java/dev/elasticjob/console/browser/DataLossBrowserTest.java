package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A registry that comes back empty: what a person on call sees, and does. */
class DataLossBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String CONFIRM = "Confirm the loss";

    @Test
    void theLossIsTheFirstFindingUntilAPersonConfirmsIt() {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        try (ConfigurableApplicationContext shop = Shop.run(
                        "--server.port=0",
                        "--elasticjob.instance.ip=10.0.0.1",
                        "--elasticjob.console.roles.operator=OPS");
                Browser browser = Browser.at(Yard.address(shop))) {
            Page page = browser.open("?view=attention", 1280, "light", "en-US");
            assertThat(page.locator("h1")).isVisible();

            shop.getBean(InMemoryEnsemble.class).empty();

            Locator first = page.locator(".findings tbody tr").first();
            assertThat(first).containsText("Registry lost data");
            assertThat(first).containsText("All jobs");
            assertThat(first).containsText("The registry has lost its data");
            Looks.assertRight(page, "a loss of data");
            first.getByRole(AriaRole.BUTTON).click();
            Locator dialog = page.locator("dialog");
            assertThat(dialog).containsText("Confirm that the registry has lost data?");
            Browser.assertAccessible(page, "the confirmation of a loss");
            dialog.locator("input[name=reason]").fill("INC-9");
            dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(CONFIRM))
                    .click();

            assertThat(page.locator(".notice")).containsText("The loss is confirmed.");
            assertThat(page.locator("main")).not().containsText("Registry lost data");
            page.context().close();
            browser.assertNothingWentWrong();
        }
    }
}

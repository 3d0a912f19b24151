package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.admin.JobAdmin;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** "May I reboot it?", of two servers on a real ZooKeeper. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServersBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String DRAIN = "Drain of all jobs";
    private static final String UNDRAIN = "End the drain of all jobs";

    private ConfigurableApplicationContext first;
    private ConfigurableApplicationContext second;
    private Browser browser;

    @BeforeAll
    void start() {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        first = Yard.run("10.0.0.1");
        second = Yard.join(first, "10.0.0.2", "--elasticjob.worker.capacity=3");
        browser = Browser.at(Yard.address(first));
    }

    @AfterAll
    void stop() {
        browser.close();
        second.close();
        first.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    @Test
    void aServerIsDrainedWhileItRunsItemsUntilItMayBeRebooted() throws Exception {
        Page page = browser.open("?view=servers", 1280, "light", "en-US");
        Locator row = page.locator(".servers tbody tr").filter(with("10.0.0.2"));
        assertThat(row.locator(".chip")).containsText("Idle, owns 3 items");
        get(first.getBean(JobAdmin.class).trigger("slow"));
        assertThat(row.locator(".chip")).containsText("Runs 2 items");
        assertThat(row).containsText("capacity: 2 of 3 used");
        assertThat(row.getByRole(AriaRole.BUTTON)).hasText(new String[] {DRAIN});

        press(row.getByRole(AriaRole.BUTTON));
        Locator dialog = page.locator("dialog");
        assertThat(dialog).containsText("It leaves 2 jobs.");
        assertThat(dialog).containsText("3 items move to other instances");
        assertThat(dialog).containsText(Pattern.compile("2 items (run|that run)"));
        Browser.assertAccessible(page, "a drain of all jobs");
        dialog.locator("input[name=reason]").fill("new kernel");
        press(dialog.getByRole(AriaRole.BUTTON, inside(DRAIN)));

        assertThat(row.locator(".chip")).containsText("Draining: 2 items still run");
        assertThat(row).containsText("drained by mei");
        assertThat(row).containsText("new kernel");
        assertThat(row.getByRole(AriaRole.BUTTON)).hasText(new String[] {UNDRAIN});
        press(row.getByRole(AriaRole.LINK).first());
        assertThat(page.locator("h1")).hasText("10.0.0.2");
        assertThat(page.locator("h1")).isFocused();
        Locator slow = page.locator(".parts tbody tr").filter(with("slow"));
        assertThat(slow.locator("td").nth(0)).hasText("–");
        assertThat(slow.locator("td").nth(1).getByRole(AriaRole.LINK)).hasCount(2);
        assertThat(slow.locator("td").nth(2)).containsText("drained");
        Browser.assertAccessible(page, "a server");
        assertThat(page.locator(".instance")).containsText("capacity: 2 of 3 used");
        Looks.assertRight(page, "a server");

        second.getBean(Yard.Gate.class).open();

        assertThat(page.locator(".instance .chip")).containsText(Pattern.compile("Empty since .*: may be rebooted"));
        assertThat(slow.locator("td").nth(1)).hasText("–");
        press(page.locator("main").getByRole(AriaRole.BUTTON, inside(UNDRAIN)));
        press(dialog.getByRole(AriaRole.BUTTON, inside(UNDRAIN)));
        assertThat(page.locator(".instance .chip")).containsText("Idle, owns 3 items");
        slow.getByRole(AriaRole.LINK).first().click();
        assertThat(page.locator("h1")).hasText("slow");
        first.getBean(Yard.Gate.class).open();
        page.context().close();
    }

    @Test
    void aServerIsDisabledForAllItsJobsAndEnabledAgain() {
        Page page = browser.open("?view=servers&server=10.0.0.1", 1280, "light", "en-US");

        press(page.getByRole(AriaRole.BUTTON, named("Disable for all jobs (2)")));
        Locator dialog = page.locator("dialog");
        assertThat(dialog).containsText("Disable the server 10.0.0.1 for 2 jobs?");
        assertThat(dialog).containsText(Pattern.compile("\\d items move"));
        Browser.assertAccessible(page, "a server is disabled");
        press(dialog.getByRole(AriaRole.BUTTON, inside("Disable server")));
        assertThat(dialog).containsText("2 jobs done");
        press(dialog.getByRole(AriaRole.BUTTON, inside("Close")));

        assertThat(page.locator(".badge.warn").first()).hasText("disabled for 2 of 2 jobs");
        assertThat(page.locator(".instance .chip")).containsText("Empty");
        assertThat(page.getByRole(AriaRole.BUTTON, named(DRAIN))).hasCount(0);
        press(page.getByRole(AriaRole.BUTTON, named("Enable for all jobs (2)")));
        press(dialog.getByRole(AriaRole.BUTTON, inside("Enable server")));
        assertThat(dialog).containsText("2 jobs done");
        press(dialog.getByRole(AriaRole.BUTTON, inside("Close")));
        assertThat(page.locator(".instance .chip")).containsText("owns 3 items");
        page.context().close();
    }

    @Test
    void aServerThatNoJobNamesSaysSo() {
        Page page = browser.open("?view=servers&server=10.9.9.9", 1280, "light", "en-US");

        assertThat(page.locator(".empty")).containsText("No job of the registry names the server");
        page.context().close();
    }

    /** With the keyboard. */
    private static void press(Locator target) {
        target.focus();
        target.press("Enter");
    }

    private static void get(CompletionStage<?> stage) throws Exception {
        stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator.GetByRoleOptions inside(String name) {
        return new Locator.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator.FilterOptions with(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }
}

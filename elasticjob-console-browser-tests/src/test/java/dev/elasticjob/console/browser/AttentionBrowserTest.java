package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.RunRequest;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** What a person on call is told first, since when, and which button ends it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttentionBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;

    private ConfigurableApplicationContext shop;
    private Browser browser;

    @BeforeAll
    void start() {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        shop = Shop.run(
                "--server.port=0",
                "--elasticjob.instance.ip=10.0.0.1",
                "--elasticjob.instance.id=shop-1",
                "--elasticjob.registry.namespace=shop",
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.console.roles.admin=BOSS");
        browser = Browser.at("http://localhost:" + shop.getEnvironment().getProperty("local.server.port"));
    }

    @AfterAll
    void stop() {
        browser.close();
        shop.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    @Test
    void aJobWhoseInstancesAreDrainedIsOnTheFirstPageWithTheButtonThatEndsIt() throws Exception {
        get(admin("tom", "new kernel").drain("invoices", "10.0.0.1@-@shop-1"));
        Page page = browser.open("", 1280, "light", "en-US");
        Locator found = page.locator(".findings tbody tr").filter(with("invoices"));

        assertThat(page.locator("h1")).hasText("Attention");
        assertThat(found).containsText("All instances are drained");
        assertThat(found).containsText("by “tom”: new kernel");
        assertThat(found.locator("time")).hasCount(1);
        Browser.assertAccessible(page, "attention with remedies");
        click(page, found, "End the drain");

        assertThat(found).hasCount(0);
        page.context().close();
    }

    @Test
    void anItemThatIsDisabledSaysSoFirstAndIsEnabledThere() throws Exception {
        get(admin("tom", "").disableItem("invoices", 1));
        Page page = browser.open("?job=invoices&item=1", 1280, "light", "en-US");
        Locator first = page.locator(".conditions li").first();

        assertThat(first).containsText("The item is disabled");
        click(page, first, "Enable");

        assertThat(first).containsText("Not due yet");
        // By the reader's clock, in Berlin: the schedule is meant in the job's zone.
        assertThat(first).containsText("The item is not due before");
        assertThat(page.locator(".facts").first()).containsText("shown in Europe/Berlin; the schedule is in");
        page.context().close();
    }

    @Test
    void aFailureSaysHowOftenAndSinceWhenInTheReadersLanguage() throws Exception {
        for (int time = 1; time <= 2; time++) {
            get(admin("tom", "").run("orders", RunRequest.create().ofItems(List.of(3))));
        }
        Page page = browser.open("?view=attention", 1280, "light", "zh-CN");
        Locator failed = page.locator(".findings tbody tr").filter(with("Order 4711 has no address"));

        assertThat(failed).containsText("它连续失败 2 次");
        assertThat(failed).containsText("修复原因，然后重新运行失败的分片项");
        assertThat(failed.locator("[lang=en]")).hasCount(0);
        page.context().close();
    }

    @Test
    void theNoticeAfterRunNowLeadsToTheRunAndItsOutcome() {
        Page page = browser.open("?job=invoices", 1280, "light", "en-US");
        page.waitForSelector(".square");

        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName("Run now").setExact(true))
                .click();
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Run now")).click();
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Watch the run"))
                .click();

        Locator run = page.locator(".run");
        assertThat(run.locator("header .chip")).containsText("Completed");
        assertThat(run).containsText("2 items have ended, of 2.");
        Browser.assertAccessible(page, "a run");
        page.context().close();
    }

    private JobAdmin admin(String name, String reason) {
        return shop.getBean(JobAdmin.class).by(Actor.named(name).because(reason));
    }

    private static void get(CompletionStage<?> stage) throws Exception {
        stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static void click(Page page, Locator in, String button) {
        in.getByRole(AriaRole.BUTTON, inside(button)).click();
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside(button)).click();
        assertThat(page.locator("dialog")).hasCount(0);
    }

    private static Locator.GetByRoleOptions inside(String name) {
        return new Locator.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator.FilterOptions with(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }
}

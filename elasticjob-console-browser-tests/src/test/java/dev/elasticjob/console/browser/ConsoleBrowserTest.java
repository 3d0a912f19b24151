package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** The console in Chromium, over an application with jobs in several states. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final String ORDERS = "?job=orders";

    private ConfigurableApplicationContext shop;
    private Browser browser;

    @BeforeAll
    void start() throws Exception {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        shop = Shop.run(
                "--server.port=0",
                "--elasticjob.instance.ip=10.0.0.1",
                "--elasticjob.instance.id=shop-1",
                "--elasticjob.registry.namespace=shop",
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.console.roles.admin=BOSS");
        browser = Browser.at("http://localhost:" + shop.getEnvironment().getProperty("local.server.port"));
        JobAdmin admin = shop.getBean(JobAdmin.class);
        admin.trigger("orders").toCompletableFuture().get(60, TimeUnit.SECONDS);
        admin.disableItem("orders", 7).toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @AfterAll
    void stop() throws IOException {
        Files.writeString(Path.of("target", "browser.txt"), "ran on Chromium " + browser.version() + "\n");
        browser.close();
        shop.close();
    }

    /** A test that fails in a pause doesn't make the others fail. */
    @AfterEach
    void nothingIsPaused() throws Exception {
        JobAdmin admin = shop.getBean(JobAdmin.class);
        admin.resumeAll().toCompletableFuture().get(60, TimeUnit.SECONDS);
        admin.resume("invoices").toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    /** Every screen: its address, and what is there when it is whole. */
    static Stream<Arguments> addresses() {
        return Stream.of(
                Arguments.of("attention", "?view=attention", ".findings tbody tr"),
                Arguments.of("operations", "?view=operations", ".operations tbody tr"),
                Arguments.of("history", "?view=history&execution=0-3", ".steps li"),
                Arguments.of("servers", "?view=servers", ".servers tbody tr"),
                Arguments.of("jobs", "?view=jobs", ".jobs tbody tr"),
                Arguments.of("none-found", "?search=nothing", ".empty"),
                Arguments.of("job", ORDERS, ".square.bad"),
                Arguments.of("item", ORDERS + "&item=3", ".failure"),
                Arguments.of("firings", ORDERS + "&tab=firings", ".grid .square.bad"),
                Arguments.of("next", ORDERS + "&tab=next", "tbody tr"),
                Arguments.of("settings", ORDERS + "&tab=settings", ".settings tbody tr"),
                Arguments.of("what-if", ORDERS + "&tab=whatif&more=2&strategy=STICKY", ".shares tbody tr"),
                Arguments.of("commands", ORDERS + "&tab=commands", ".commands tbody tr"),
                Arguments.of("tree", ORDERS + "&tab=tree", ".tree"),
                Arguments.of("unknown-job", "?job=nothing", ".empty"));
    }

    static Stream<Arguments> screens() {
        return addresses()
                .map(Arguments::get)
                .flatMap(screen -> Stream.of("en-US", "zh-CN")
                        .map(language -> Arguments.of(screen[0], screen[1], screen[2], language)));
    }

    @ParameterizedTest
    @MethodSource("screens")
    void everyScreenIsAccessibleInEachThemeAndLanguage(String name, String address, String whole, String language) {
        Page page = browser.open(address, 1280, "light", language);

        page.waitForSelector(whole);

        assertThat(page.locator("html")).hasAttribute("lang", language.equals("zh-CN") ? "zh-CN" : "en");
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
            String kind = theme.name().toLowerCase(Locale.ROOT);
            Browser.assertAccessible(page, name + ", " + kind);
            page.screenshot(new Page.ScreenshotOptions()
                    .setFullPage(true)
                    .setPath(SCREENSHOTS.resolve("%s-%s-%s.png".formatted(name, kind, language))));
        }
        page.context().close();
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void onATelephoneNoScreenIsWiderThanTheWindow(String name, String address, String whole) {
        Page page = browser.open(address, 400, "light", "en-US");

        page.waitForSelector(whole);

        assertThat(page.evaluate("document.documentElement.scrollWidth"))
                .as(name)
                .isEqualTo(400);
        page.context().close();
    }

    @Test
    void aLinkLeadsThroughTheLoginToTheSameView() {
        Page page = browser.signIn("mei", ORDERS + "&item=3");

        assertThat(page.locator(".panel h2")).hasText("Item 3");
        assertThat(page.locator(".failure")).containsText("Order 4711 has no address");
        assertThat(page.url()).contains("job=orders&item=3");
        page.context().close();
    }

    @Test
    void whatAnotherInstanceWouldTakeIsInTheAddressAndOnThePage() {
        Page page = browser.open(ORDERS + "&tab=whatif", 1280, "light", "en-US");
        assertThat(page.locator(".whatif-says")).hasText("No item would move.");

        page.getByLabel("More instances").fill("1");
        assertThat(page.locator(".whatif-says")).containsText("6 items would move to another instance: 6–11");
        page.getByLabel("Sharding strategy").selectOption("STICKY");
        assertThat(page.locator(".shares tbody tr").first()).containsText("+1 joins");
        page.reload();
        assertThat(page.getByLabel("More instances")).hasValue("1");
        assertThat(page.locator(".whatif-says")).containsText("6 items would move");

        page.getByLabel("More instances").fill("0");
        page.getByLabel("10.0.0.1@-@shop-1").check();
        assertThat(page.locator(".whatif-says")).containsText("12 items would have no owner: 0–11");
        page.context().close();
    }

    @Test
    void aStrategyOfTheApplicationsOwnIsRefusedByName() {
        Page page = browser.open(ORDERS + "&tab=whatif&strategy=byRegion", 1280, "light", "en-US");

        assertThat(page.locator(".empty")).containsText("\"byRegion\"");
        page.context().close();
    }

    @Test
    void operationsAreFilteredInTheAddressAndGivenAsAFile() throws Exception {
        Page page = browser.open("?view=operations&actor=ann", 1280, "light", "en-US");
        assertThat(page.locator(".operations tbody tr")).hasCount(2);

        page.getByLabel("Outcome").selectOption("true");
        assertThat(page.locator(".operations tbody tr")).hasCount(1);
        assertThat(page.locator(".operations tbody tr")).containsText("is paused");
        assertThat(page.url()).contains("refused=true");
        Download file =
                page.waitForDownload(() -> page.getByText("Download CSV").click());
        assertThat(Files.readString(file.path())).contains("\"ann\",\"orders\",\"trigger\"");
        page.context().close();
    }

    @Test
    void anExecutionOfTheHistoryIsInTheAddressWithWhatHappened() {
        Page page = browser.open("?view=history&outcome=FAILED", 1280, "light", "en-US");
        assertThat(page.locator(".executions tbody tr")).hasCount(1);

        page.locator(".executions a").first().click();
        assertThat(page.locator(".failure")).containsText("Order 4711 has no address");
        assertThat(page.locator(".steps")).containsText("TASK_ERROR");
        assertThat(page.url()).contains("execution=0-3");
        page.context().close();
    }

    /** The picture in the README, too. */
    @ParameterizedTest
    @ValueSource(strings = {"en-US", "zh-CN"})
    void aJobOnTwoInstancesShowsWhichOneHasWhichItems(String language) {
        Shop.Second second = Shop.Second.start(shop);
        Page page = browser.open(ORDERS + "&item=3", 1280, "light", language);
        Locator rows = page.locator(".map tbody tr");

        assertThat(rows).hasCount(2, within());
        assertThat(rows.filter(named("shop-2")).locator(".square")).hasCount(6, within());
        assertThat(page.locator(".failure")).containsText("Order 4711 has no address");
        page.screenshot(new Page.ScreenshotOptions()
                .setFullPage(true)
                .setPath(SCREENSHOTS.resolve("two-instances-%s.png".formatted(language))));

        second.kill(shop);
        page.context().close();
    }

    @Test
    void aKilledInstanceGoesAndItsItemsMoveWithoutAReload() {
        Shop.Second second = Shop.Second.start(shop);
        Page page = browser.open(ORDERS, 1280, "light", "en-US");
        page.evaluate("window.reloaded = false");
        Locator rows = page.locator(".map tbody tr");
        assertThat(rows).hasCount(2, within());
        assertThat(rows.filter(named("shop-2")).locator(".square").first()).isVisible();

        second.kill(shop);

        assertThat(rows).hasCount(1, new LocatorAssertions.HasCountOptions().setTimeout(LIMIT_MILLIS));
        assertThat(rows.locator(".square")).hasCount(12, within());
        assertThat(page.evaluate("window.reloaded")).isEqualTo(false);
        second.engine().close();
        page.context().close();
    }

    @Test
    void anItemIsDisabledAndTheNoticeUndoesIt() {
        Page page = browser.open(ORDERS + "&item=11", 1280, "light", "en-US");
        Locator square = page.locator(".square[aria-current]");

        page.getByRole(AriaRole.BUTTON, exactly("Disable")).click();
        assertThat(page.locator("dialog")).containsText("Disable item 11 of “orders”?");
        assertThat(page.locator("dialog")).containsText("namespace “shop”");
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Disable")).click();

        assertThat(page.locator("dialog")).hasCount(0, within());
        assertThat(page.locator(".notice")).containsText("Item 11 of “orders” is disabled.");
        assertThat(square).hasAttribute("aria-label", "Item 11, Disabled");
        page.getByRole(AriaRole.BUTTON, exactly("Undo")).click();
        assertThat(page.locator(".notice")).containsText("is enabled");
        assertThat(square).hasAttribute("aria-label", "Item 11, Completed");
        page.context().close();
    }

    @Test
    void aDoubleClickIsOneRun() {
        Page page = browser.open("?job=invoices", 1280, "light", "en-US");
        page.getByRole(AriaRole.BUTTON, exactly("Run now")).click();
        assertThat(page.locator("dialog li").first())
                .hasText("2 items run once, each as soon as it neither runs nor is due.");
        page.locator("dialog input[name=reason]").fill("INC-7");

        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Run now")).dblclick();

        assertThat(page.locator(".square.good")).hasCount(2, within());
        assertThat(shop.getBean(Shop.Invoices.class).runs).containsExactlyInAnyOrder(0, 1);
        page.context().close();
    }

    @Test
    void aJobIsPausedWithItsReasonAndTheNoticeResumesIt() {
        Page page = browser.open("?job=invoices", 1280, "light", "en-US");

        page.getByRole(AriaRole.BUTTON, exactly("Pause")).click();
        assertThat(page.locator("dialog li").first()).containsText("Nothing starts until somebody resumes");
        page.locator("dialog input[name=reason]").fill("INC-8");
        confirm(page, "Pause");

        assertThat(page.locator(".banner.warn")).containsText("Paused by mei");
        assertThat(page.locator(".banner.warn")).containsText("INC-8");
        assertThat(page.locator(".head .chip")).containsText("Paused");
        assertThat(page.getByRole(AriaRole.BUTTON, exactly("Resume"))).isVisible();
        page.getByRole(AriaRole.BUTTON, exactly("Undo")).click();
        assertThat(page.locator(".banner.warn")).hasCount(0, within());
        assertThat(page.locator(".head .chip")).not().containsText("Paused");
        page.context().close();
    }

    @Test
    void allJobsArePausedAndResumed() {
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");

        page.getByRole(AriaRole.BUTTON, exactly("Pause all jobs")).click();
        assertThat(page.locator("dialog")).containsText("This concerns 3 jobs");
        confirm(page, "Pause all jobs");

        assertThat(page.locator(".banner.warn")).containsText("All jobs of the namespace are paused by mei");
        assertThat(page.locator(".jobs .chip")).containsText(new String[] {"Paused", "Paused", "Paused"});
        page.getByRole(AriaRole.BUTTON, exactly("Resume all jobs")).click();
        confirm(page, "Resume all jobs");
        assertThat(page.locator(".jobs .chip")).hasCount(3);
        assertThat(page.locator(".jobs .chip", new Page.LocatorOptions().setHasText("Paused")))
                .hasCount(0);
        page.context().close();
    }

    @Test
    void aDrainedInstanceGivesItsItemsAwayAndComesBack() {
        Shop.Second second = Shop.Second.start(shop);
        Page page = browser.open(ORDERS, 1280, "light", "en-US");
        Locator row = page.locator(".map tbody tr").filter(named("shop-2"));

        row.getByRole(AriaRole.BUTTON, inside("Drain")).click();
        assertThat(page.locator("dialog")).containsText("6 items move to other instances.");
        confirm(page, "Drain");

        assertThat(row.locator(".badge")).containsText(new String[] {"drained by mei"});
        assertThat(row).containsText("no items");
        row.getByRole(AriaRole.BUTTON, inside("End the drain")).click();
        confirm(page, "End the drain");
        assertThat(row.locator(".square")).hasCount(6, within());
        second.kill(shop);
        second.engine().close();
        page.context().close();
    }

    @Test
    void anExecutionIsCancelledAndSaysByWhom() {
        Page page = browser.open(ORDERS + "&item=9", 1280, "light", "en-US");

        page.locator(".panel .actions")
                .getByRole(AriaRole.BUTTON, inside("Cancel execution"))
                .click();
        assertThat(page.locator("dialog li").first())
                .hasText("1 execution is interrupted, and has failed. It is not retried.");
        page.locator("dialog input[name=reason]").fill("wrong month");
        confirm(page, "Cancel execution");

        assertThat(page.locator(".notice")).containsText("1 execution is being interrupted.");
        assertThat(page.locator(".panel")).containsText("wrong month");
        assertThat(page.locator(".square[aria-current]")).hasAttribute("aria-label", "Item 9, Failed, cancelled");
        page.context().close();
    }

    @Test
    void whatFailedRunsAgain() {
        Page page = browser.open(ORDERS + "&item=3", 1280, "light", "en-US");

        page.getByRole(AriaRole.BUTTON, exactly("Run failed items again")).click();
        assertThat(page.locator("dialog li").first()).containsText("as the next attempt");
        confirm(page, "Run failed items again");

        assertThat(page.locator(".panel").getByText("Attempt", new Locator.GetByTextOptions().setExact(true)))
                .isVisible();
        page.context().close();
    }

    @Test
    void aSettingIsChangedAfterItsDifferenceAndGivenBack() {
        Page page = edited("invoices");
        page.locator("[name='cron']").fill("0 45 2 * * ?");
        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();

        Locator dialog = page.locator("dialog");
        assertThat(dialog).containsText("Change the settings of “invoices”?");
        assertThat(dialog.locator(".conflict").first().locator("tbody tr")).hasCount(1, within());
        assertThat(dialog.locator(".conflict").first()).containsText("0 30 2 * * ?");
        assertThat(dialog.locator(".conflict").nth(1).locator("tbody tr")).hasCount(10, within());
        assertThat(dialog).containsText("of the next firings do not happen any more");
        confirm(page, "Save");

        assertThat(page.locator(".settings")).containsText("0 45 2 * * ?");
        page.getByRole(AriaRole.BUTTON, exactly("Undo")).click();
        assertThat(page.locator(".settings")).containsText("0 30 2 * * ?");
        page.context().close();
    }

    @Test
    void whatCannotBeUsedIsMarkedAndNothingTypedIsLost() {
        Page page = edited("invoices");
        page.locator("[name='cron']").fill("soon");
        page.locator("[name='shardingTotalCount']").fill("0");
        page.locator("[name='description']").fill("typed");
        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();

        assertThat(page.locator("[name='cron']")).hasAttribute("aria-invalid", "true");
        assertThat(page.locator("[name='shardingTotalCount']")).hasAttribute("aria-invalid", "true");
        assertThat(page.locator("[name='cron']")).hasValue("soon");
        assertThat(page.locator("[name='description']")).hasValue("typed");
        assertThat(page.locator("dialog")).hasCount(0, within());
        Browser.assertAccessible(page, "marked fields");
        page.context().close();
    }

    @Test
    void twoOperatorsWhoChangeTheSameSettingSeeEachOther() throws Exception {
        Page mine = edited("invoices");
        mine.locator("[name='description']").fill("mine");
        JobAdmin admin = shop.getBean(JobAdmin.class);

        admin.redefine("invoices", job -> job.toBuilder().description("theirs").build())
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);

        Locator cells = mine.locator(".conflict tbody td");
        assertThat(cells).hasText(new String[] {"–", "theirs", "mine"});
        Browser.assertAccessible(mine, "conflict");
        mine.getByRole(AriaRole.BUTTON, exactly("Keep mine on top of theirs")).click();
        assertThat(mine.locator("[name='description']")).hasValue("mine");
        mine.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();
        confirm(mine, "Save");
        assertThat(mine.locator(".settings")).containsText("mine");
        mine.context().close();
    }

    @Test
    void aJobIsRemovedByItsTypedNameAndIsGoneFromTheOtherWindow() throws Exception {
        Shop.register(shop, "old job");
        Page other = browser.open("?job=old+job", 1280, "light", "en-US");
        assertThat(other.locator(".head .chip")).containsText("No instance");
        Page page = browser.open("ann", "?job=old+job&tab=settings", 1280, "light", "en-US");
        page.getByRole(AriaRole.BUTTON, exactly("Remove")).click();
        Locator remove = page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Remove"));

        assertThat(page.locator("dialog")).containsText("deleted for good");
        assertThat(remove).isDisabled();
        page.locator("dialog input[name=name]").fill("old jo");
        assertThat(remove).isDisabled();
        page.locator("dialog input[name=name]").fill("old job");
        remove.click();

        assertThat(other.locator(".empty")).containsText("This is not in the registry", containing());
        assertThat(other.locator("main button")).hasCount(0, within());
        other.context().close();
        page.context().close();
    }

    @Test
    void aFailureOfThePastIsFoundInTheFirings() {
        Page page = browser.open(ORDERS + "&tab=firings", 1280, "light", "en-US");

        page.locator(".grid .square.bad").first().click();

        Locator trace = page.locator(".panel .trace");
        assertThat(trace.locator("summary")).containsText("Order 4711 has no address");
        assertThat(trace.locator(".failure")).isHidden();
        assertThat(page.locator(".panel .steps")).containsText("TASK_ERROR");
        assertThat(page.locator(".grid tbody th").first()).hasText("3");
        page.context().close();
    }

    @Test
    void aStackTraceIsUnfoldedAndCopied() {
        Page page = browser.open(ORDERS + "&tab=firings", 1280, "light", "en-US");
        page.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
        page.locator(".grid .square.bad").first().click();
        Locator trace = page.locator(".panel .trace");

        trace.locator("summary").click();

        assertThat(trace.locator(".failure")).isVisible();
        assertThat(trace.locator(".failure")).containsText("\tat dev.elasticjob.");
        Browser.assertAccessible(page, "a stack trace");
        trace.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Copy"))
                .click();
        assertThat(trace.getByRole(AriaRole.STATUS)).hasText("Copied");
        assertThat(page.evaluate("navigator.clipboard.readText()"))
                .asString()
                .isEqualTo(trace.locator(".failure").textContent());
        page.context().close();
    }

    private Page edited(String job) {
        Page page = browser.open("ann", "?job=" + job + "&tab=settings", 1280, "light", "en-US");
        page.getByRole(AriaRole.BUTTON, exactly("Edit")).click();
        return page;
    }

    @Test
    void severalJobsArePausedAtOnceAfterADryRun() {
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");
        page.getByLabel("Choose invoices").check();
        page.getByLabel("Choose " + Shop.NAME_WITH_EVERYTHING).check();

        page.locator(".bulk").getByRole(AriaRole.BUTTON, inside("Pause")).click();
        assertThat(page.locator("dialog h2")).hasText("Pause 2 jobs?");
        assertThat(page.locator("dialog li").first()).hasText("2 jobs change");
        Browser.assertAccessible(page, "several jobs");
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Pause")).click();
        assertThat(page.locator("dialog li").first()).hasText("2 jobs done");
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Close")).click();

        assertThat(page.locator(".jobs .chip", new Page.LocatorOptions().setHasText("Paused")))
                .hasCount(2, within());
        page.locator(".bulk").getByRole(AriaRole.BUTTON, inside("Resume")).click();
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Resume")).click();
        assertThat(page.locator("dialog li").first()).hasText("2 jobs done");
        page.context().close();
    }

    @Test
    void whatNeedsAPersonLeadsToTheItem() {
        Page page = browser.open("?view=attention", 1280, "light", "en-US");
        Locator failed = page.locator(".findings tbody tr").filter(named("Order 4711 has no address"));

        assertThat(failed).containsText("Failed");
        failed.getByRole(AriaRole.LINK).click();

        assertThat(page.locator(".failure")).containsText("Order 4711 has no address");
        page.context().close();
    }

    private static void confirm(Page page, String button) {
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside(button)).click();
        assertThat(page.locator("dialog")).hasCount(0, within());
    }

    @Test
    void aViewerIsOfferedNoCommands() {
        Page page = browser.open("tom", ORDERS + "&item=3", 1280, "light", "en-US");

        assertThat(page.locator(".failure")).isVisible();
        assertThat(page.locator("main button")).hasCount(0);
        page.context().close();
    }

    @ParameterizedTest
    @CsvSource({"light, en-US", "light, zh-CN", "dark, en-US", "dark, zh-CN"})
    void theDialogIsAccessible(String theme, String language) {
        Page page = browser.open(ORDERS, 400, theme, language);

        page.locator(".primary").click();
        page.waitForSelector("dialog[open] li");

        Browser.assertAccessible(page, "dialog");
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(SCREENSHOTS.resolve("dialog-%s-%s.png".formatted(theme, language))));
        page.keyboard().press("Escape");
        assertThat(page.locator("dialog")).hasCount(0, within());
        page.context().close();
    }

    private static Page.GetByRoleOptions exactly(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator.GetByRoleOptions inside(String name) {
        return new Locator.GetByRoleOptions().setName(name).setExact(true);
    }

    @Test
    void aNameWithEverythingInItIsTextEverywhere() {
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");

        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(Shop.NAME_WITH_EVERYTHING))
                .click();

        assertThat(page.locator("h1")).hasText(Shop.NAME_WITH_EVERYTHING);
        assertThat(page.locator(".square")).hasCount(1, within());
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Settings"))
                .click();
        assertThat(page.locator(".settings")).containsText("0 0 0 1 * ?");
        page.goBack();
        assertThat(page.locator(".square")).hasCount(1, within());
        page.context().close();
    }

    @Test
    void theSearchIsInTheAddressAndKeepsItsPlaceWhileTyping() {
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");
        Locator jobs = page.locator(".jobs tbody tr");
        assertThat(jobs).hasCount(3, within());

        page.getByRole(AriaRole.SEARCHBOX).pressSequentially("inv");

        assertThat(jobs).hasCount(1, within());
        assertThat(page.getByRole(AriaRole.SEARCHBOX)).isFocused();
        assertThat(page.url()).contains("search=inv");
        page.context().close();
    }

    @Test
    void theKeyboardIsEnough() {
        Page page = browser.open(ORDERS, 1280, "light", "en-US");
        // An instance of the test before may not have been missed yet: then the items stand in several rows.
        assertThat(page.locator(".map tbody tr")).hasCount(1, within());

        page.locator(".square").first().focus();
        page.keyboard().press("ArrowRight");
        page.keyboard().press("ArrowRight");
        page.keyboard().press("Enter");

        assertThat(page.locator(".panel h2")).hasText("Item 2");
        page.keyboard().press("ArrowLeft");
        page.keyboard().press("Enter");
        assertThat(page.locator(".panel h2")).hasText("Item 1");
        page.context().close();
    }

    @Test
    void withoutTheRegistryTheLastPictureStaysAndSaysSo() {
        InMemoryRegistry registry = (InMemoryRegistry) shop.getBean(Registry.class);
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");
        assertThat(page.locator(".jobs tbody tr")).hasCount(3, within());

        registry.disconnect();

        assertThat(page.locator(".banner")).containsText("The registry doesn’t answer", containing());
        assertThat(page.locator(".jobs tbody tr")).hasCount(3);
        registry.reconnect();
        assertThat(page.locator(".banner")).hasCount(0, within());
        page.context().close();
    }

    @Test
    void themeAndLanguageAreChosenAndKept() {
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");
        page.selectOption("select[name=language]", "zh");
        page.selectOption("select[name=theme]", "dark");

        assertThat(page.locator("h1")).hasText("作业");
        page.reload();

        assertThat(page.locator("h1")).hasText("作业");
        assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
        page.context().close();
    }

    private static Locator.FilterOptions named(String instance) {
        return new Locator.FilterOptions().setHasText(instance);
    }

    private static LocatorAssertions.HasCountOptions within() {
        return new LocatorAssertions.HasCountOptions().setTimeout(LIMIT_MILLIS);
    }

    private static LocatorAssertions.ContainsTextOptions containing() {
        return new LocatorAssertions.ContainsTextOptions().setTimeout(LIMIT_MILLIS);
    }
}

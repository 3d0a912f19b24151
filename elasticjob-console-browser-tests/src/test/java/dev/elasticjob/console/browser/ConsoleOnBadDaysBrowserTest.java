package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** Proxies, expired sessions, damaged nodes, odd names, large grids, and people without a mouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleOnBadDaysBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final int MOST_TABS = 80;
    private static final int MOST_NODES = 6_000;

    private ConfigurableApplicationContext shop;
    private Browser browser;

    @BeforeAll
    void start() {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        shop = Shop.run(
                "--server.port=0",
                "--server.forward-headers-strategy=framework",
                "--elasticjob.instance.ip=10.0.0.1",
                "--elasticjob.instance.id=shop-1",
                "--elasticjob.registry.namespace=shop",
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.console.roles.admin=BOSS");
        browser = Browser.at(address());
    }

    private String address() {
        return "http://localhost:" + shop.getEnvironment().getProperty("local.server.port");
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
    void behindAProxyThatRemovesAPartOfThePathEverythingWorks() throws Exception {
        try (Proxy proxy = Proxy.to(address());
                Browser outside = Browser.at(proxy.address())) {
            Page page = outside.signIn("mei", "?job=invoices&item=1");

            assertThat(page.locator(".panel h2")).hasText("Item 1");
            assertThat(page.url()).startsWith(proxy.address() + "/elasticjob/?job=invoices");
            get(shop.getBean(JobAdmin.class).disableItem("invoices", 1));
            assertThat(page.locator(".square[aria-current]")).hasAttribute("aria-label", "Item 1, Disabled");
            page.getByRole(AriaRole.BUTTON, exactly("Enable")).first().click();
            confirm(page, "Enable");
            assertThat(page.locator(".square[aria-current]"))
                    .hasAttribute("aria-label", Pattern.compile("Item 1, (Not run yet|Completed)"));
            page.getByRole(AriaRole.LINK, exactly("Servers")).click();
            assertThat(page.locator(".servers tbody tr")).hasCount(1);
            outside.assertNothingWentWrong();
        }
    }

    @Test
    void afterTheSessionHasExpiredTheLoginLeadsBackToTheSameView() {
        Page page = browser.signIn("mei", "?job=orders&tab=next");
        page.waitForSelector("tbody tr");

        page.context().clearCookies();

        assertThat(page.locator(".banner")).containsText("You are not signed in");
        assertThat(page.locator("tbody tr").first()).isVisible();
        page.locator(".banner").getByRole(AriaRole.LINK).click();
        Browser.fillLogin(page, "mei");
        page.waitForSelector("tbody tr");
        assertThat(page.url()).contains("job=orders&tab=next");
        assertThat(page.locator(".banner")).hasCount(0);
        page.context().close();
    }

    @Test
    void aNodeThatIsDamagedWhileTheJobIsOpenIsNamedAndOtherJobsAreUnharmed() throws Exception {
        Shop.register(shop, "spoiled");
        Page page = browser.open("?job=spoiled", 1280, "light", "en-US");
        Page list = browser.open("?view=jobs", 1280, "light", "en-US");
        assertThat(page.locator(".head .chip")).containsText("No instance");
        String node = new JobTree("spoiled").config();

        String before = write(node, "{\"cron\": ");

        assertThat(page.locator(".banner.bad")).containsText("/spoiled/config");
        assertThat(page.locator(".head .chip")).containsText("Unreadable");
        assertThat(list.locator(".jobs tbody tr").filter(with("spoiled"))).containsText("Unreadable");
        assertThat(list.locator(".jobs tbody tr").filter(with("invoices"))).containsText("Not run yet");
        write(node, before);
        assertThat(page.locator(".banner.bad")).hasCount(0);
        get(shop.getBean(JobAdmin.class).remove("spoiled"));
        page.context().close();
        list.context().close();
    }

    /** Returns what was there before. */
    private String write(String path, String text) throws Exception {
        Registry registry = shop.getBean(Registry.class);
        RegistryNode node =
                get(registry.read(RegistryRead.allData(path))).node(path).orElseThrow();
        get(registry.commit(
                RegistryCommit.builder().set(path, text, node.version()).build()));
        return node.text();
    }

    @Test
    void aThousandItemsOfFiftyFiringsAreFewNodes() {
        Page page = browser.open("?job=" + encoded(Shop.NAME_WITH_EVERYTHING) + "&tab=firings", 1280, "light", "en-US");
        Locator rows = page.locator(".grid tbody tr");

        assertThat(rows).hasCount(50);
        assertThat(nodes(page)).isLessThanOrEqualTo(MOST_NODES);
        page.getByRole(AriaRole.BUTTON, exactly("950 more items")).click();

        assertThat(page.getByRole(AriaRole.BUTTON, exactly("900 more items"))).isVisible();
        assertThat(rows).hasCount(50);
        assertThat(nodes(page)).isLessThanOrEqualTo(MOST_NODES);
        page.getByRole(AriaRole.BUTTON, exactly("First items")).click();
        assertThat(rows.first().locator("th")).hasText("3");
        page.context().close();
    }

    private static int nodes(Page page) {
        return (int) page.evaluate("document.querySelectorAll('*').length");
    }

    @Test
    void everyOperationWorksForAnOddName() {
        Page page = browser.open("?job=" + encoded(Shop.NAME_WITH_EVERYTHING) + "&item=0", 1280, "light", "en-US");
        page.waitForSelector(".panel .conditions");

        for (String[] both : new String[][] {
            {"Pause", "Resume"}, {"Disable", "Enable"}, {"Disable server", "Enable server"}, {"Drain", "End the drain"}
        }) {
            for (String command : both) {
                page.getByRole(AriaRole.BUTTON, exactly(command)).first().click();
                assertThat(page.locator("dialog")).containsText(Shop.NAME_WITH_EVERYTHING);
                confirm(page, command);
                assertThat(page.locator(".notice.done")).isVisible();
            }
        }
        assertThat(page.locator(".map tbody tr").filter(with("shop-1")).locator(".square"))
                .hasCount(1);
        for (String command : new String[] {"Rebalance", "Run now"}) {
            page.getByRole(AriaRole.BUTTON, exactly(command)).first().click();
            confirm(page, command);
            assertThat(page.locator(".notice.done")).isVisible();
        }
        page.context().close();
    }

    @Test
    void aBackfillIsAskedForItsRangeCarriedOutAndListedAmongTheCommands() {
        Page page = browser.open("?job=invoices", 1280, "light", "en-US");

        page.getByRole(AriaRole.BUTTON, exactly("Backfill")).click();
        Locator dialog = page.locator("dialog");
        Locator carryOut = dialog.getByRole(AriaRole.BUTTON, inside("Backfill"));
        assertThat(carryOut).isDisabled();
        dialog.locator("input[name=from]").fill("2026-11-02T00:00");
        dialog.locator("input[name=until]").fill("2026-11-02T01:00");
        dialog.locator("input[name=reason]").click();
        assertThat(dialog).containsText("The schedule has no time in this range.");
        assertThat(carryOut).isDisabled();
        dialog.locator("input[name=until]").fill("2026-11-05T00:00");
        dialog.locator("input[name=reason]").fill("tax rate");
        assertThat(dialog).containsText("3 scheduled times run once more");
        Browser.assertAccessible(page, "backfill");
        carryOut.click();

        assertThat(page.locator(".notice.done")).containsText("The backfill of “invoices” has begun.");
        page.getByRole(AriaRole.LINK, exactly("Commands")).click();
        assertThat(page.locator(".commands tbody tr").first()).containsText("tax rate");
        assertThat(page.locator(".commands tbody tr").first()).containsText("mei");
        page.context().close();
    }

    @Test
    void settingsGoBackToWhatTheyWereBeforeAChange() throws Exception {
        Shop.register(shop, "changed often");
        JobAdmin admin = shop.getBean(JobAdmin.class);
        get(admin.redefine(
                "changed often",
                job -> job.toBuilder()
                        .cron("0 0 5 * * ?")
                        .jobProperties(Map.of("db.password", "swordfish", "rows", "100"))
                        .build()));
        get(admin.redefine(
                "changed often",
                job -> job.toBuilder()
                        .cron("0 0 6 * * ?")
                        .stuckAfter(Duration.ofMinutes(5))
                        .jobProperty("rows", "200")
                        .build()));
        get(admin.redefine(
                "changed often",
                job -> job.toBuilder()
                        .description("slow")
                        .stuckAfter(Duration.ZERO)
                        .build()));
        Page page = browser.open("ann", "?job=changed+often&tab=settings", 1280, "light", "en-US");
        Locator earlier = page.locator(".earlier tbody tr");

        assertThat(earlier).hasCount(3);
        assertThat(earlier.nth(1)).containsText("Cron expression: 0 0 5 * * ? every day at 05:00 → 0 0 6 * * ?");
        assertThat(page.locator("main")).not().containsText("swordfish");
        Browser.assertAccessible(page, "earlier settings");
        earlier.nth(0).getByRole(AriaRole.BUTTON, inside("Restore")).click();
        // As a job without a watchdog, it doesn't have this setting now.
        assertThat(field(page, "stuckAfter")).hasValue("5m");
        assertThat(field(page, "description")).hasValue("");
        page.getByRole(AriaRole.BUTTON, exactly("Back")).click();
        earlier.nth(1).getByRole(AriaRole.BUTTON, inside("Restore")).click();
        assertThat(page.locator(".edit .banner")).containsText("stay as they are now: jobProperties.db.password.");
        assertThat(field(page, "cron")).hasValue("0 0 5 * * ?");
        Browser.assertAccessible(page, "restore");
        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();
        Locator difference = page.locator("dialog .conflict").first();
        assertThat(difference.locator("tbody th"))
                .hasText(new String[] {"Cron expression", "Description", "jobProperties.rows"});
        confirm(page, "Save");

        assertThat(page.locator("table.settings")).containsText("0 0 5 * * ?");
        assertThat(earlier).hasCount(4);
        assertThat(get(admin.definition("changed often")).jobProperties())
                .isEqualTo(Map.of("db.password", "swordfish", "rows", "100"));
        get(admin.remove("changed often"));
        page.context().close();
    }

    @Test
    void aJobIsCreatedOnThePageAndWhatCannotBeUsedIsMarked() throws Exception {
        Page page = browser.open("ann", "?view=jobs", 1280, "light", "en-US");
        page.getByRole(AriaRole.BUTTON, exactly("Create job")).click();
        Locator dialog = page.locator("dialog");
        Locator create = dialog.getByRole(AriaRole.BUTTON, inside("Create job"));
        assertThat(create).isDisabled();

        dialog.locator("input[name=name]").fill("close day");
        dialog.locator("input[name=work]").fill("http://localhost:1/close-day");
        dialog.locator("input[name=cron]").fill("soon");
        dialog.locator("input[name=shardingTotalCount]").fill("0");
        dialog.locator("input[name=reason]").fill("OPS-81");
        assertThat(dialog.locator(".wrong li")).hasCount(2);
        assertThat(dialog.locator("[aria-invalid=true]")).hasCount(2);
        assertThat(create).isDisabled();
        Browser.assertAccessible(page, "a new job");
        dialog.locator("input[name=cron]").fill("0 30 0 * * ?");
        dialog.locator("input[name=shardingTotalCount]").fill("");
        dialog.locator("input[name=reason]").click();
        assertThat(dialog).containsText("Instances that may run it join within a second.");
        assertThat(dialog.locator(".conflict").first()).containsText("http://localhost:1/close-day");
        create.click();

        assertThat(page.locator(".notice.done")).containsText("“close day” is created.");
        page.getByRole(AriaRole.LINK, exactly("close day")).click();
        page.getByRole(AriaRole.LINK, exactly("Settings")).click();
        assertThat(page.locator("table.settings")).containsText("0 30 0 * * ?");
        get(shop.getBean(JobAdmin.class).remove("close day"));
        page.context().close();
    }

    private static Locator field(Page page, String setting) {
        return page.locator("[name='%s']".formatted(setting));
    }

    @Test
    void theListSaysHowManyItemsAJobHasAndWhatIsTrueOfIt() throws Exception {
        get(shop.getBean(JobAdmin.class).trigger("orders"));
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");

        Locator row = page.locator(".jobs tbody tr").filter(with("orders"));

        assertThat(row.locator(".state")).containsText("Failed (1 of 12)");
        assertThat(row.locator(".number").first()).hasText("12");
        page.context().close();
    }

    /** The second request stands still while somebody stops the whole. */
    @Test
    void aCommandForManyJobsIsStoppedAndTheRestIsLeftAlone() throws Exception {
        String[] names =
                IntStream.range(0, 60).mapToObj("nightly %02d"::formatted).toArray(String[]::new);
        Shop.register(shop, names);
        Page page = browser.open("?search=nightly", 1280, "light", "en-US");
        page.getByLabel("Choose all on this page").check();
        page.getByRole(AriaRole.LINK, exactly("Next page")).click();
        assertThat(page.locator(".jobs tbody tr")).hasCount(10);
        page.getByLabel("Choose all on this page").check();
        List<Route> sent = new ArrayList<>();
        page.route(Pattern.compile("/bulk$"), request -> {
            sent.add(request);
            if (sent.size() != 2) {
                request.resume();
            }
        });

        page.locator(".bulk").getByRole(AriaRole.BUTTON, inside("Pause")).click();
        Locator dialog = page.locator("dialog");
        assertThat(dialog.locator("li").first()).hasText("60 jobs change");
        dialog.getByRole(AriaRole.BUTTON, inside("Pause")).click();
        page.waitForCondition(() -> sent.size() == 2);
        assertThat(dialog.locator("[role=status]")).containsText("10 of 60");
        Locator stop = dialog.getByRole(AriaRole.BUTTON, inside("Stop"));
        stop.click();
        assertThat(stop).isDisabled();
        sent.get(1).resume();

        assertThat(dialog.locator("li")).hasText(new String[] {"20 jobs done"});
        assertThat(dialog).containsText("Stopped: 40 jobs were left as they are.");
        Browser.assertAccessible(page, "a stopped command");
        assertThat(sent).hasSize(2);
        assertThat(paused(names)).containsExactly(Arrays.copyOf(names, 20));
        for (String name : names) {
            get(shop.getBean(JobAdmin.class).remove(name));
        }
        page.context().close();
    }

    private List<String> paused(String... names) throws Exception {
        return get(shop.getBean(JobInspector.class).details(List.of(names))).stream()
                .filter(job -> job.paused().isPresent())
                .map(JobReport::name)
                .toList();
    }

    // ------------------------------------------------------------------ keyboard

    @Test
    void whatNeedsAPersonAndWhyIsFoundWithTheKeyboard() throws Exception {
        get(shop.getBean(JobAdmin.class).trigger("orders"));
        Page page = browser.open("?view=attention", 1280, "light", "en-US");
        Locator failed = page.locator(".findings tbody tr").filter(with("Order 4711 has no address"));
        assertThat(failed).isVisible();

        press(page, failed.getByRole(AriaRole.LINK));

        assertThat(page.locator(".panel .conditions li").first()).isVisible();
        assertThat(page.locator(".failure")).containsText("Order 4711 has no address");
        page.context().close();
    }

    @Test
    void aJobIsPausedAndAnInstanceDrainedWithTheKeyboard() {
        Page page = browser.open("?job=invoices", 1280, "light", "en-US");
        page.waitForSelector(".square");

        for (String command : new String[] {"Pause", "Drain"}) {
            press(page, page.getByRole(AriaRole.BUTTON, exactly(command)));
            Locator dialog = page.locator("dialog");
            assertThat(dialog.locator("li").first()).isVisible();
            press(page, dialog.getByRole(AriaRole.BUTTON, inside(command)));
            assertThat(dialog).hasCount(0);
            press(page, page.getByRole(AriaRole.BUTTON, exactly("Undo")));
            assertThat(page.locator(".notice.done")).containsText(command.equals("Pause") ? "is resumed" : "again");
        }
        page.context().close();
    }

    @Test
    void aSettingIsChangedAndGivenBackWithTheKeyboard() {
        Page page = browser.open("ann", "?job=invoices&tab=settings", 1280, "light", "en-US");
        page.waitForSelector(".settings");

        press(page, page.getByRole(AriaRole.BUTTON, exactly("Edit")));
        focus(page, page.locator("[name='description']"));
        page.keyboard().type("typed");
        press(page, page.getByRole(AriaRole.BUTTON, exactly("Review the change")));
        assertThat(page.locator("dialog .conflict").first()).containsText("typed");
        press(page, page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Save")));

        assertThat(page.locator(".settings")).containsText("typed");
        press(page, page.getByRole(AriaRole.BUTTON, exactly("Undo")));
        assertThat(page.locator(".settings")).not().containsText("typed");
        page.context().close();
    }

    private static void press(Page page, Locator target) {
        focus(page, target);
        page.keyboard().press("Enter");
    }

    /** As somebody gets there who has only the tabulator. */
    private static void focus(Page page, Locator target) {
        target.first().waitFor();
        for (int tab = 0; tab < MOST_TABS; tab++) {
            page.keyboard().press("Tab");
            if ((boolean) target.first().evaluate("element => element === document.activeElement")) {
                return;
            }
        }
        throw new AssertionError("The tabulator doesn't lead to " + target);
    }

    // ------------------------------------------------------------------ asking

    private static void confirm(Page page, String button) {
        Locator dialog = page.locator("dialog");
        assertThat(dialog.locator("li").first()).isVisible();
        dialog.getByRole(AriaRole.BUTTON, inside(button)).click();
        assertThat(dialog).hasCount(0);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private static Locator.FilterOptions with(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    private static Page.GetByRoleOptions exactly(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    private static Locator.GetByRoleOptions inside(String name) {
        return new Locator.GetByRoleOptions().setName(name).setExact(true);
    }
}

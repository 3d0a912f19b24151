package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.PublishedApp.Condition;
import dev.elasticjob.admin.app.PublishedApp.Pool;
import dev.elasticjob.admin.app.PublishedApp.Worker;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** "Why does no worker come, and can I stop it for now?", of applications of Kubernetes. On a real ZooKeeper. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AppsBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String LONG = "reconciliation-of-marketplace-payments";
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private static final String LOG = "exit code 137" + PublishedApp.LAST_LINES
            + "java.lang.OutOfMemoryError: Java heap space\n\tat com.example.reconciliation.marketplace.PaymentsReader.readAllOfThem(PaymentsReader.java:214)"
            + "\n\tat com.example.reconciliation.marketplace.PaymentsJob.execute(PaymentsJob.java:47)\n订单结算失败：内存不足";

    private ConfigurableApplicationContext console;
    private AppNodes controller;
    private Browser browser;

    @BeforeAll
    void start() throws Exception {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        console = Yard.run("10.0.0.1");
        browser = Browser.at(Yard.address(console));
        controller = new AppNodes(console.getBean(Registry.class));
        publish(app("orders", ready(), pool("default", 0, 0, List.of())));
        publish(app(
                LONG,
                new Condition("Ready", true, "Ready", "", NOW),
                new Condition("WorkersBlocked", true, "OOMKilled", LOG, NOW.minusSeconds(90)),
                new Condition(
                        "ScalesToZero",
                        false,
                        "WorkersStay",
                        "pool \"default\" keeps one worker, because \"sitemaps\" has misfire=false: what is due while nobody is there would be lost",
                        NOW.minusSeconds(4_000)),
                pool("default", 40, 12, workers()),
                pool("reports-of-all-european-shops", 0, 0, List.of())));
        for (String name : List.of("billing", "crm", "exports", "imports", "mailings", "payouts", "search", "stock")) {
            publish(app(name, ready(), pool("default", 0, name.length() - 2, List.of())));
        }
        write(RegistryCommit.builder()
                .create(JobTree.app("test.retired"), "{\"name\":\"retired\",\"namespace\":\"test\"}"));
    }

    private void publish(PublishedApp app) throws Exception {
        controller.publish("uid-" + app.name(), app).toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private void write(RegistryCommit.Builder commit) throws Exception {
        console.getBean(Registry.class)
                .commit(commit.build())
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private static PublishedApp app(String name, Object... parts) {
        List<Pool> pools = new ArrayList<>();
        List<Condition> conditions = new ArrayList<>();
        for (Object part : parts) {
            if (part instanceof Pool pool) {
                pools.add(pool);
            } else {
                conditions.add((Condition) part);
            }
        }
        return new PublishedApp(name, "production-of-the-shops", false, pools, conditions);
    }

    private static Condition ready() {
        return new Condition("Ready", true, "Ready", "", NOW);
    }

    private static Pool pool(String name, int open, int running, List<Worker> workers) {
        return new Pool(
                name,
                4,
                0,
                10,
                open,
                running,
                Math.min(10, (open + running + 3) / 4),
                (int) workers.stream()
                        .filter(worker -> !worker.instance().isEmpty())
                        .count(),
                NOW.plusSeconds(3_600),
                List.of("每日账单对账与结算任务", "com.example.billing.reconciliation.NightlyReconciliationJob", "sitemaps"),
                workers,
                0);
    }

    private static List<Worker> workers() {
        List<Worker> workers = new ArrayList<>(List.of(
                worker(0, "FAILED", "", "OOMKilled", LOG),
                worker(1, "PENDING", "", "Unschedulable", "0/3 nodes are available: 3 Insufficient memory."),
                worker(2, "RUNNING", "", "", "")));
        IntStream.range(3, 10)
                .mapToObj(place -> worker(place, "RUNNING", "10.244.3.%d@-@%s".formatted(place, pod(place)), "", ""))
                .forEach(workers::add);
        return workers;
    }

    private static String pod(int place) {
        return "%s-default-%d-1-x7k2p".formatted(LONG, place);
    }

    private static Worker worker(int place, String phase, String instance, String reason, String text) {
        return new Worker(
                "%s-default-%d-1".formatted(LONG, place),
                phase,
                pod(place),
                phase.equals("PENDING") ? "" : "ip-10-0-%d-17.eu-central-1.compute.internal".formatted(place),
                instance,
                NOW.minusSeconds(60),
                reason,
                text);
    }

    @AfterAll
    void stop() {
        browser.close();
        console.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    @Test
    void theListSaysHowEachIsAndOneSaysWhyItsWorkersDoNotCome() {
        Page page = browser.open("?view=apps", 1280, "light", "en-US");
        Locator rows = page.locator(".apps tbody tr");
        assertThat(row(rows, LONG)).containsText("Workers blocked: OOMKilled");
        assertThat(row(rows, LONG)).containsText("1 worker failed");
        assertThat(row(rows, "orders")).containsText("Nothing to do");
        assertThat(row(rows, "retired")).containsText("No controller");
        Browser.assertAccessible(page, "applications");
        Looks.assertRight(page, "applications");

        row(rows, LONG).getByRole(AriaRole.LINK).click();

        assertThat(page.locator("h1")).hasText(LONG);
        assertThat(page.locator("h1")).isFocused();
        assertThat(page.locator(".workers .why").first()).containsText("OutOfMemoryError");
        assertThat(page.locator(".workers tbody")).containsText("3 Insufficient memory");
        assertThat(page.locator(".workers tbody")).containsText("Not registered yet");
        assertThat(page.locator("main")).containsText("Doesn’t go to zero");
        Browser.assertAccessible(page, "an application");
        Looks.assertRight(page, "an application");
        for (int width : new int[] {1440, 1024, 390}) {
            Page other = browser.open("?view=apps&app=production-of-the-shops." + LONG, width, "dark", "zh-CN");
            assertThat(other.locator(".head .chip").first()).containsText("Worker 受阻：OOMKilled");
            Looks.assertRight(other, "an application at " + width);
            other.locator(".crumbs a").click();
            assertThat(row(other.locator(".apps tbody tr"), "orders")).containsText("无事可做");
            Looks.assertRight(other, "applications at " + width);
            other.context().close();
        }
        page.context().close();
    }

    @Test
    void attentionSaysWhichOfThemAreBlockedAndLeadsToTheirScreens() throws Exception {
        publish(app(
                "wrong",
                new Condition("Ready", false, "Invalid", "pool \"default\": maxWorkers is missing", NOW),
                pool("default", 0, 0, List.of())));
        Page page = browser.open("?view=attention", 1280, "light", "en-US");
        Locator rows = page.locator(".findings tbody tr");
        assertThat(row(rows, LONG)).containsText("Workers blocked");
        assertThat(row(rows, LONG)).containsText("Workers don’t get to work, OOMKilled: exit code 137");
        assertThat(row(rows, LONG)).containsText("kubectl describe pod -n production-of-the-shops");
        assertThat(row(rows, LONG)).not().containsText("OutOfMemoryError");
        assertThat(row(rows, "wrong")).containsText("Gets no workers");
        assertThat(row(rows, "wrong")).containsText("maxWorkers is missing");
        assertThat(row(rows, "test.retired")).containsText("No controller");
        assertThat(row(rows, "test.retired")).containsText("seen since");
        assertThat(row(rows, "orders")).hasCount(0);
        Browser.assertAccessible(page, "attention of applications");
        Looks.assertRight(page, "attention of applications");
        for (int width : new int[] {1440, 1024, 390}) {
            Page other = browser.open("?view=attention", width, "dark", "zh-CN");
            assertThat(row(other.locator(".findings tbody tr"), LONG)).containsText("Worker 无法开始工作，OOMKilled");
            Looks.assertRight(other, "attention of applications at " + width);
            other.context().close();
        }

        row(rows, LONG).getByRole(AriaRole.LINK).first().click();

        assertThat(page.locator("h1")).hasText(LONG);
        assertThat(page.locator(".workers .why").first()).containsText("OutOfMemoryError");
        page.context().close();
    }

    @Test
    void anOperatorSuspendsAndResumesAndForgetsWhatIsGone() throws Exception {
        write(RegistryCommit.builder().create(JobTree.app("test.gone"), ""));
        Page page = browser.open("?view=apps&app=production-of-the-shops.stock", 1280, "light", "en-US");
        page.locator(".head").getByText("Suspend").click();
        assertThat(page.locator("dialog")).containsText("Those that have started go on, and what is due stays owed.");
        page.locator("dialog input[name=reason]").fill("盘点");
        Browser.assertAccessible(page, "the dialog");
        page.locator("dialog .primary").click();
        assertThat(page.locator(".notice")).containsText("production-of-the-shops.stock is suspended.");
        assertThat(page.locator(".head .chip").first()).containsText("Suspended");
        assertThat(page.locator(".facts").first()).containsText("by mei");
        assertThat(page.locator(".facts").first()).containsText("盘点");

        page.locator(".notice").getByText("Undo").click();
        assertThat(page.locator(".head .chip").first()).containsText("Running");

        page.navigate(Yard.address(console) + "/elasticjob/?view=apps&app=test.gone");
        page.locator(".head").getByText("Forget").click();
        page.locator("dialog .primary").click();
        assertThat(page.locator(".notice")).containsText("test.gone is forgotten.");
        page.context().close();
    }

    private static Locator row(Locator rows, String text) {
        return rows.filter(new Locator.FilterOptions().setHasText(text));
    }
}

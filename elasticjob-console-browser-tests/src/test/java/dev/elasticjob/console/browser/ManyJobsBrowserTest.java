package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More jobs than a page has: found, ordered and commanded together. On a real ZooKeeper. */
class ManyJobsBrowserTest extends OneYard {
    private static final int EXPORTS = 70;
    private static final String EXPORT = "export-to-the-data-warehouse-%02d";

    ManyJobsBrowserTest() {
        super("--elasticjob.jobs-from-registry=true", "--elasticjob.registry-jobs.allowed-beans=invoices");
    }

    @BeforeAll
    void createJobs() throws Exception {
        List<CompletionStage<?>> created = new ArrayList<>();
        created.add(create("nobody-runs-this", "gone", 1));
        for (int job = 0; job < EXPORTS; job++) {
            // The later in the alphabet, the more items.
            created.add(create(EXPORT.formatted(job), "invoices", 10 + job));
        }
        for (CompletionStage<?> one : created) {
            get(one);
        }
    }

    private CompletionStage<?> create(String name, String bean, int items) {
        return yard.getBean(JobAdmin.class)
                .create(name, Map.of("cron", "0 0 4 1 1 ?", "jobClass", bean, "shardingTotalCount", items));
    }

    private static <T> T get(CompletionStage<T> answer) throws Exception {
        return answer.toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    private Page list(String query) {
        return browser.open("ann", "?view=jobs" + query, 1440, "light", "en-US");
    }

    @Test
    void aColumnsHeadOrdersAllJobsByItAndTheOtherWayRound() {
        Page page = list("");
        Locator first = page.locator(".list tbody th").first();
        Locator items = page.locator("thead th").filter(withText("Items"));
        assertThat(first).hasText(EXPORT.formatted(0));

        items.getByRole(AriaRole.LINK).click();
        assertThat(first).hasText(EXPORT.formatted(EXPORTS - 1));
        assertThat(items).hasAttribute("aria-sort", "descending");
        assertThat(page.locator(".list tbody tr").first().locator("td.number").first())
                .hasText(Integer.toString(10 + EXPORTS - 1));
        Browser.assertAccessible(page, "ordered jobs");

        items.getByRole(AriaRole.LINK).click();
        assertThat(first).hasText("nobody-runs-this");
        assertThat(items).hasAttribute("aria-sort", "ascending");
        assertThat(items.getByRole(AriaRole.LINK)).isFocused();
        page.locator(".pages a").click();
        assertThat(page.locator(".list tbody tr")).hasCount(EXPORTS + 3 - JobPage.SIZE);
        assertThat(first).hasText(EXPORT.formatted(JobPage.SIZE - 3));
        page.context().close();
    }

    @Test
    void theWorstIsFirstAndOnlyWhatNeedsAPersonIsShown() {
        Page page = list("&sort=condition");
        assertThat(page.locator(".list tbody tr").first()).containsText("nobody-runs-this");
        assertThat(page.locator(".list tbody tr").first()).containsText("No instance");

        page.locator("select[name=state]").selectOption("TROUBLED");

        assertThat(page.locator(".list tbody tr")).hasCount(1);
        assertThat(page.locator("h1 + p")).hasText("1 job");
        page.context().close();
    }

    @Test
    void onATelephoneTheOrderIsChosenFromAList() {
        Page page = browser.open("ann", "?view=jobs", 390, "light", "en-US");

        page.locator("select[name=sort]").selectOption("-items");

        assertThat(page.locator(".list tbody th").first()).hasText(EXPORT.formatted(EXPORTS - 1));
        page.context().close();
    }

    @Test
    void allThatMatchAreChosenPausedAndTakenBackButNotThoseThatWerePausedBefore() throws Exception {
        String before = EXPORT.formatted(3);
        get(yard.getBean(JobAdmin.class).pause(before));
        Page page = list("&search=warehouse");
        page.getByLabel("Choose " + EXPORT.formatted(0)).check();

        page.locator(".bulk")
                .getByRole(AriaRole.BUTTON, inside("Choose all 70 that match"))
                .click();
        assertThat(page.locator(".bulk strong")).hasText("70 jobs chosen");
        assertThat(page.locator(".choose input:checked")).hasCount(JobPage.SIZE);
        page.locator(".bulk").getByRole(AriaRole.BUTTON, inside("Pause")).click();
        assertThat(page.locator("dialog li").filter(withText("69 jobs change"))).hasCount(1);
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Pause")).click();
        assertThat(page.locator("dialog li").first()).hasText("70 jobs done");
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Close")).click();

        assertThat(page.locator(".bulk .undo")).containsText("Paused: 69.");
        page.mouse().wheel(0, 5_000);
        Locator undo = page.locator(".bulk").getByRole(AriaRole.BUTTON, inside("Undo for 69 jobs"));
        assertThat(undo).isInViewport();
        undo.click();
        assertThat(page.locator("dialog h2")).hasText("Resume 69 jobs?");
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Resume")).click();
        assertThat(page.locator("dialog li").first()).hasText("69 jobs done");
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Close")).click();

        JobPage paused =
                get(yard.getBean(JobInspector.class).page(JobPage.Query.all().named(before)));
        assertThat(paused.jobs())
                .singleElement()
                .satisfies(job -> assertThat(job.paused()).isPresent());
        assertThat(get(yard.getBean(JobInspector.class).page(JobPage.Query.all())).jobs().stream()
                        .filter(job -> job.paused().isPresent()))
                .hasSize(1);
        assertThat(page.locator(".bulk .undo")).containsText("Resumed: 69.");
        get(yard.getBean(JobAdmin.class).resume(before));
        page.context().close();
    }

    private static Locator.FilterOptions withText(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    private static Locator.GetByRoleOptions inside(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }
}

package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How far an execution has come, seen while it runs on a real ZooKeeper. */
class ProgressBrowserTest extends OneYard {
    private static final String LOGS =
            "https://logs.example.com/find?q=job:{job}+item:{item}+on:{instance}&run={runId}&from={from}&until={toMillis}";

    ProgressBrowserTest() {
        super("--elasticjob.console.log-link=" + LOGS);
    }

    @Test
    void theBarMovesWhileTheItemRuns() throws Exception {
        Page page = browser.open("?job=slow&item=0", 1280, "light", "en-US");
        Locator square = page.locator(".square").filter(new Locator.FilterOptions().setHasText("0"));
        Locator shown = page.locator("section.progress");
        yard.getBean(JobAdmin.class).trigger("slow").toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertThat(page.locator(".square.busy")).hasCount(4);
        assertThat(shown).hasCount(0);
        page.evaluate("window.neverLoadedAgain = true");
        ShardingContext execution = yard.getBean(Yard.Gate.class).execution(0);

        execution.progress(1_200, 5_000, "sending invoices");

        assertThat(shown).containsText("sending invoices");
        assertThat(shown).containsText("24% 1,200 of 5,000");
        assertThat(shown).containsText("as of");
        assertThat(shown.locator("progress")).hasAttribute("value", "0.24");
        assertThat(square.locator("progress")).hasAttribute("value", "0.24");
        assertThat(square).hasAttribute("aria-label", Pattern.compile("Item 0, Running, 24%"));
        assertThat(page.locator(".square progress")).hasCount(1);
        assertThat(page.locator(".panel a.logs"))
                .hasAttribute(
                        "href",
                        Pattern.compile(
                                "https://logs\\.example\\.com/find\\?q=job:slow\\+item:0\\+on:10\\.0\\.0\\.1%40-%40\\d+&run=[-0-9a-f]{36}"
                                        + "&from=2\\d{3}-\\d\\d-\\d\\dT\\d\\d%3A\\d\\d%3A[0-9.]+Z&until=\\d{13}"));
        Browser.assertAccessible(page, "progress");
        Looks.assertRight(page, "progress");

        execution.progress(4_999, 5_000, "sending invoices");

        assertThat(shown).containsText("99% 4,999 of 5,000");
        assertThat(square.locator("progress")).hasAttribute("value", "0.99");

        execution.progress(7, 0, "");

        assertThat(shown).containsText("7 done");
        assertThat(page.locator("main progress")).hasCount(0);

        Page chinese = browser.open("?job=slow&item=0", 390, "dark", "zh-CN");
        assertThat(chinese.locator("section.progress")).containsText("已完成 7");
        Browser.assertAccessible(chinese, "progress, Chinese");
        Looks.assertRight(chinese, "progress, on a telephone");
        chinese.context().close();

        spoilNodeOf(execution);

        assertThat(page.locator(".banner.warn"))
                .containsText("isn’t known here: The node \"/slow/progress/10.0.0.1@-@");
        assertThat(shown).hasCount(0);
        Browser.assertAccessible(page, "progress that can't be read");

        yard.getBean(Yard.Gate.class).open();

        assertThat(page.locator(".banner.warn")).hasCount(0);
        assertThat(shown).hasCount(0);
        assertThat(page.locator(".square.good")).hasCount(4);
        page.waitForFunction("window.neverLoadedAgain");
        page.context().close();
    }

    private void spoilNodeOf(ShardingContext execution) throws Exception {
        String instance = execution.getTaskId().replaceFirst(".*@-@1@-@", "");
        RegistryCommit spoilt = RegistryCommit.builder()
                .set(new JobTree("slow").progress(instance), "spoilt", RegistryCommit.ANY_VERSION)
                .build();
        yard.getBean(Registry.class).commit(spoilt).toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}

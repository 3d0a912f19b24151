package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.elasticjob.admin.JobAdmin;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is to be done now, of a job of four items whose instance has room for three. */
class DemandBrowserTest extends OneYard {
    DemandBrowserTest() {
        super("--elasticjob.worker.capacity=7", "--elasticjob.jobs.slow.weight=2");
    }

    @Test
    void theJobsPageSaysWhatIsOpenAndRunsAndWhenItIsDueNext() throws Exception {
        Page page = browser.open("?job=slow", 1280, "light", "en-US");
        assertThat(fact(page, "To do now")).hasText("0 open, 0 running");
        assertThat(fact(page, "Next firing")).containsText(Pattern.compile("Jan 1, 20\\d\\d"));

        yard.getBean(JobAdmin.class).trigger("slow").toCompletableFuture().get(60, TimeUnit.SECONDS);

        assertThat(page.locator(".square.busy")).hasCount(3);
        assertThat(fact(page, "To do now")).hasText("1 open, 3 running, together 8 by weight");
        Browser.assertAccessible(page, "what is to be done");
        Looks.assertRight(page, "what is to be done");
        Page chinese = browser.open("?job=slow", 390, "dark", "zh-CN");
        assertThat(fact(chinese, "当前需求")).hasText("待执行 1，执行中 3，总权重 8");
        Looks.assertRight(chinese, "what is to be done, on a telephone");
        chinese.context().close();

        yard.getBean(Yard.Gate.class).open();

        assertThat(page.locator(".square.good")).hasCount(4);
        assertThat(fact(page, "To do now")).hasText("0 open, 0 running");
        page.context().close();
    }

    private static Locator fact(Page page, String name) {
        return page.locator("dl.facts dt:text-is(\"" + name + "\") + dd");
    }
}

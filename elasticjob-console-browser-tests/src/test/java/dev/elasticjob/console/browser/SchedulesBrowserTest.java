package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a job fires, and what becomes of firings that can't start: typed in the form of the settings. On a real ZooKeeper. */
class SchedulesBrowserTest extends OneYard {
    @BeforeAll
    void failSoon() {
        setDefaultAssertionTimeout(20_000);
    }

    /** The page may show older settings at first. */
    private String usual = "";

    @BeforeEach
    void usualSettings() throws Exception {
        usual = "usual " + UUID.randomUUID();
        admin().redefine(
                        "invoices",
                        job -> JobDefinition.builder("invoices")
                                .jobClass(job.jobClass())
                                .description(usual)
                                .cron("0 30 2 * * ?")
                                .shardingTotalCount(2)
                                .build())
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private JobAdmin admin() {
        return yard.getBean(JobAdmin.class);
    }

    private JobDefinition saved() throws Exception {
        return admin().versionedDefinition("invoices")
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .definition();
    }

    private Page edited(String language) {
        Page page = browser.open("ann", "?job=invoices&tab=settings", 1280, "light", language);
        assertThat(page.locator("table.settings")).containsText(usual);
        page.locator("[data-key=settings]").click();
        return page;
    }

    private static Locator setting(Page page, String name) {
        return page.locator("[name='%s']".formatted(name));
    }

    private static void review(Page page) {
        page.locator("form.edit button[type=submit]").click();
    }

    private static void save(Page page) {
        review(page);
        page.locator("dialog button.primary").click();
        assertThat(page.locator("form.edit")).hasCount(0);
    }

    /** What is said beside a field that can't be used. */
    private static Locator saidOf(Page page, String name) {
        Locator wrong = page.locator("[name='%s'][aria-invalid=true]".formatted(name));
        return page.locator("#" + wrong.getAttribute("aria-describedby").split(" ")[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "zh-CN"})
    void whatBecomesOfFiringsThatCannotStartIsTyped(String language) throws Exception {
        Page page = edited(language);
        assertThat(setting(page, "catchUpLimit")).hasCount(0);

        setting(page, "jitter").fill("30s");
        setting(page, "overlap").selectOption("CANCEL_RUNNING");
        setting(page, "catchUp").selectOption("EACH");
        setting(page, "catchUpLimit").fill("50");
        setting(page, "catchUpWindow").fill("12h");
        setting(page, "pauseAfterFailures").fill("3");
        save(page);

        JobDefinition saved = saved();
        assertThat(saved.jitter()).isEqualTo(Duration.ofSeconds(30));
        assertThat(saved.overlap()).isEqualTo(Overlap.CANCEL_RUNNING);
        assertThat(saved.catchUp()).isEqualTo(CatchUp.EACH);
        assertThat(saved.catchUpLimit()).isEqualTo(50);
        assertThat(saved.catchUpWindow()).isEqualTo(Duration.ofHours(12));
        assertThat(saved.pauseAfterFailures()).isEqualTo(3);
        Locator shown = page.locator("table.settings");
        for (String value : List.of("CANCEL_RUNNING", "EACH", "50", language.equals("en-US") ? "12 hr" : "12小时")) {
            assertThat(shown).containsText(value);
        }
        Looks.assertRight(page, "settings of firings that can't start in " + language);
        page.context().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "zh-CN"})
    void whatCannotBeUsedIsSaidBesideItsField(String language) {
        Page page = edited(language);
        setting(page, "catchUp").selectOption("EACH");
        setting(page, "jitter").fill("5");
        setting(page, "catchUpWindow").fill("soon");
        review(page);

        assertThat(page.locator("[aria-invalid=true]")).hasCount(2);
        assertThat(saidOf(page, "jitter")).containsText("expected a duration with a unit: 5 what? Write 5s or 5m");
        assertThat(saidOf(page, "catchUpWindow")).containsText("expected a duration such as 60s");

        setting(page, "jitter").fill("25h");
        setting(page, "overlap").selectOption("SKIP");
        setting(page, "catchUpWindow").fill("1h");
        setting(page, "catchUpLimit").fill("0");
        setting(page, "pauseAfterFailures").fill("-1");
        review(page);

        assertThat(page.locator("[aria-invalid=true]")).hasCount(4);
        assertThat(saidOf(page, "jitter")).containsText("isn't longer than the time between two firings");
        assertThat(saidOf(page, "overlap")).containsText("set overlap to WAIT or CANCEL_RUNNING");
        assertThat(saidOf(page, "catchUpLimit")).containsText("expected 1 to 1000 firings");
        assertThat(saidOf(page, "pauseAfterFailures")).containsText("expected a number of failures");
        Looks.assertRight(page, "settings that can't be used in " + language);
        page.context().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "zh-CN"})
    void aDelayIsTypedAndItsNextFiringIsShown(String language) throws Exception {
        boolean english = language.equals("en-US");
        Page page = edited(language);
        setting(page, "jitter").fill("30s");
        save(page);
        page.locator("[data-key=settings]").click();

        setting(page, "cron").fill("");
        setting(page, "fixedDelay").fill("45s");
        assertThat(page.locator("form.edit .wrong"))
                .containsText("only for a job whose firings have times of their own");
        review(page);
        assertThat(saidOf(page, "jitter")).containsText("only for a job whose firings have times of their own");
        setting(page, "jitter").fill("0");
        setting(page, "fixedDelay").fill("45m");
        assertThat(page.locator(".ahead")).isVisible();
        review(page);
        // Of one firing, or the other: the second run of this test may find the first one's without its end.
        assertThat(page.locator("dialog"))
                .containsText(Pattern.compile(english ? "firing follows from the end of" : "触发取决于(前一次|上次触发)的结束时间"));
        page.locator("dialog button.primary").click();
        assertThat(page.locator("form.edit")).hasCount(0);

        assertThat(saved().fixedDelay()).isEqualTo(Duration.ofMinutes(45));
        assertThat(page.locator("dl.facts").first()).containsText(english ? "45 min" : "45分钟");
        Looks.assertRight(page, "settings of a delay in " + language);
        page.context().close();
    }
}

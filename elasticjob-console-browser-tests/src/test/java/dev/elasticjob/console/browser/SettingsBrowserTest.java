package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings in words, in groups, written as people write them. On a real ZooKeeper. */
class SettingsBrowserTest extends OneYard {
    private Page settings(String job, int width, String language) {
        Page page = browser.open("ann", "?job=" + job + "&tab=settings", width, "light", language);
        page.locator("table.settings tbody tr").first().waitFor();
        return page;
    }

    private Page edited(String job) {
        Page page = settings(job, 1280, "en-US");
        page.locator("[data-key=settings]").click();
        return page;
    }

    private static Locator setting(Page page, String name) {
        return page.locator("[name='%s']".formatted(name));
    }

    private static void save(Page page) {
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Review the change"))
                .click();
        page.locator("dialog")
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Save"))
                .click();
        assertThat(page.locator("form.edit")).hasCount(0);
    }

    private JobDefinition definition(String job) throws Exception {
        return yard.getBean(JobAdmin.class)
                .versionedDefinition(job)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .definition();
    }

    @ParameterizedTest
    @CsvSource({"1440, en-US", "1440, zh-CN", "1024, zh-CN", "390, en-US", "390, zh-CN"})
    void settingsAreInGroupsWithNamesInWordsAndValuesAsPeopleSayThem(int width, String language) {
        Page page = settings("invoices", width, language);
        boolean english = language.equals("en-US");

        Locator rows = page.locator("table.settings");
        assertThat(rows).containsText(english ? "When it runs" : "何时运行");
        assertThat(rows).containsText(english ? "every day at 02:30" : "每天 02:30");
        assertThat(rows).containsText(english ? "no limit" : "没有限制");
        assertThat(rows.getByText(Pattern.compile("\\bPT\\d"))).hasCount(0);
        assertThat(rows.getByText("{}")).hasCount(0);
        // What it would mean is said by other settings: there is no failover, and no retry.
        assertThat(rows.getByText("maxFailovers")).hasCount(0);
        assertThat(rows.getByText("retry.delay")).hasCount(0);
        Looks.assertRight(page, "settings in %s, %d wide".formatted(language, width));
        page.locator("[data-key=settings]").click();
        Looks.assertRight(page, "the form of the settings in %s, %d wide".formatted(language, width));
        Browser.assertAccessible(page, "the form of the settings");
        page.context().close();
    }

    @ParameterizedTest
    @CsvSource({"en-US, As YAML", "zh-CN, 以 YAML 显示"})
    void theSettingsAreShownAsYamlForAnApplication(String language, String link) {
        Page page = settings("invoices", 1280, language);

        Page yaml = page.waitForPopup(() -> page.locator("a.yaml").click());

        assertThat(page.locator("a.yaml")).containsText(link);
        assertThat(yaml.locator("body")).containsText("invoices:");
        assertThat(yaml.locator("body")).containsText("cron: \"0 30 2 * * ?\"");
        page.context().close();
    }

    private static Page pasted(Page page, String yaml, String rest) {
        page.locator("#paste-yaml").fill(yaml);
        if (!rest.isEmpty()) {
            page.getByLabel(rest).check();
        }
        page.locator("section.paste button").click();
        return page;
    }

    @ParameterizedTest
    @CsvSource({"1280, en-US, From YAML", "390, zh-CN, 从 YAML 填入"})
    void whatAnApplicationDeclaresAsYamlIsFilledIntoTheForm(int width, String language, String button)
            throws Exception {
        JobDefinition before = definition("invoices");
        Page page = settings("invoices", width, language);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(button))
                .click();

        pasted(page, """
                elasticjob:
                  jobs:
                    "[其他作业]":
                      cron: 0 15 3 * * ?
                      retry: {max-attempts: 3, delay: 5s}
                      overlap: cancel-running
                """, "");

        assertThat(setting(page, "cron")).hasValue("0 15 3 * * ?");
        assertThat(setting(page, "retry.maxAttempts")).hasValue("3");
        assertThat(setting(page, "overlap")).hasValue("CANCEL_RUNNING");
        assertThat(setting(page, "description")).hasValue(before.description());
        assertThat(page.locator("form.edit [role=status]").first()).containsText("4 ");
        assertThat(page.locator("form.edit [role=status]").first()).containsText("其他作业");
        assertThat(page.locator("tr.changed")).hasCount(4);
        Looks.assertRight(page, "the form, filled from YAML in %s, %d wide".formatted(language, width));
        Browser.assertAccessible(page, "the form, filled from YAML");
        assertThat(definition("invoices")).isEqualTo(before);
        page.context().close();
    }

    /** Whoever copies the settings of one registry to another wants the same there, not a mixture. */
    @Test
    void whatTheTextDoesNotHaveMayGoBackToItsDefault() throws Exception {
        JobDefinition before = definition("slow");
        Page page = settings("slow", 1280, "en-US");
        Page yaml = page.waitForPopup(() -> page.locator("a.yaml").click());
        String text = yaml.locator("body").innerText();
        page.locator("[data-key=settings]").click();
        setting(page, "maxTimeDiffSeconds").fill("77");
        setting(page, "description").fill("for a test");
        save(page);

        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("From YAML"))
                .click();
        pasted(page, text, "Set what the text doesn’t have to its default");
        save(page);

        assertThat(definition("slow")).isEqualTo(before);
        page.context().close();
    }

    @Test
    void whatIsWrongInATextIsSaidByItsLineWhereItWasTyped() {
        Page page = settings("invoices", 1280, "en-US");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("From YAML"))
                .click();

        pasted(page, "cron: 0 15 3 * * ?\ntimeuot: 5s\njob-parameter: ${SECRET}", "");

        Locator text = page.locator("#paste-yaml");
        assertThat(text).isFocused();
        assertThat(text).hasAttribute("aria-invalid", "true");
        assertThat(page.locator("#paste-yaml-wrong li")).hasText(new String[] {
            "line 2: \"timeuot\": there is no such setting in the registry (did you mean \"timeout\"?)",
            "line 3: \"${SECRET}\": the console doesn't know an application's placeholders: write the value"
        });
        assertThat(page.locator("tr.changed")).hasCount(0);
        page.context().close();
    }

    @Test
    void whatAppliesAppearsWithTheSettingThatItDependsOn() {
        Page page = edited("slow");
        assertThat(setting(page, "maxFailovers")).hasCount(0);

        setting(page, "failover").selectOption("true");
        assertThat(setting(page, "maxFailovers")).hasValue("3");
        setting(page, "retry.maxAttempts").fill("3");
        assertThat(setting(page, "retry.delay")).isVisible();
        setting(page, "cron").fill("");

        assertThat(setting(page, "timeZone")).hasCount(0);
        assertThat(setting(page, "runAtStart")).isVisible();
        page.context().close();
    }

    @Test
    void whileACronIsTypedItIsSaidInWordsAndItsNextFiringsAreShown() {
        Page page = edited("slow");

        setting(page, "cron").fill("0 15 9 ? * MON-FRI");

        assertThat(page.locator("#field-cron-help")).containsText("Monday to Friday: 09:15");
        assertThat(page.locator(".ahead li")).hasCount(5);
        assertThat(page.locator(".ahead li").first()).containsText("09:15:00");
        setting(page, "cron").fill("0 15 9 ? * MONDAYS");
        assertThat(page.locator("form.edit .wrong")).containsText("Cron expression: ");
        assertThat(page.locator(".ahead")).hasCount(0);
        page.context().close();
    }

    @Test
    void aCalendarIsTypedAndItsDaysAreLeftOutOfTheNextFirings() throws Exception {
        Page page = edited("invoices");
        assertThat(setting(page, "moveToNextDay")).hasCount(0);

        setting(page, "calendar").fill("SAT,SUN,SUNNY");
        assertThat(page.locator("form.edit .wrong")).containsText("\"SUNNY\" can't be read");
        setting(page, "calendar").fill("MON,TUE,WED,THU,FRI,SAT");
        assertThat(setting(page, "moveToNextDay")).isVisible();
        Locator firings = page.locator(".ahead li:not(.quiet)");
        assertThat(firings).hasCount(5);
        assertThat(firings.locator("span[title]").first()).hasAttribute("title", Pattern.compile("Sun"));
        assertThat(page.locator(".ahead li.quiet").nth(1)).containsText("6 left out by the calendar");
        page.locator("form.edit button[type=submit]").click();
        assertThat(page.locator("dialog .conflict td .quiet").nth(1)).containsText("6 left out by the calendar");
        Looks.assertRight(page, "a change of a calendar");
        page.keyboard().press("Escape");
        save(page);

        assertThat(definition("invoices").calendar()).isEqualTo("MON,TUE,WED,THU,FRI,SAT");
        assertThat(page.locator("dl.facts").first()).containsText("with a calendar");
        Looks.assertRight(page, "settings with a calendar");
        page.navigate(page.url().replace("tab=settings", "tab=next"));
        Locator leftOut = page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("left out by"));
        assertThat(page.locator("tbody tr:not(.quiet)")).hasCount(20);
        assertThat(leftOut.nth(1)).containsText("6 left out by the calendar");
        Looks.assertRight(page, "the next firings with a calendar");
        assertThat(page.locator("main [data-paused]")).hasCount(0);

        JobAdmin admin = yard.getBean(JobAdmin.class);
        admin.pause("invoices").toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertThat(page.locator("main [data-paused]")).containsText("The job is paused. Until it is resumed");
        Looks.assertRight(page, "the next firings of a paused job");
        admin.resume("invoices").toCompletableFuture().get(60, TimeUnit.SECONDS);
        page.context().close();
    }

    @Test
    void durationsListsAndPropertiesAreWrittenAsPeopleWriteThem() throws Exception {
        Page page = edited("slow");
        assertThat(setting(page, "misfireThreshold")).hasValue("1m");

        setting(page, "misfireThreshold").fill("90s");
        setting(page, "jobProperties").fill("region=eu = west\npassword=one two");
        setting(page, "stuckAfter").fill("2h");
        setting(page, "retry.maxAttempts").fill("2");
        setting(page, "retry.includes").fill("java.io.IOException, java.lang.IllegalStateException");
        save(page);

        JobDefinition saved = definition("slow");
        assertThat(saved.misfireThreshold()).isEqualTo(Duration.ofSeconds(90));
        assertThat(saved.jobProperties()).isEqualTo(Map.of("region", "eu = west", "password", "one two"));
        assertThat(saved.watchdog().stuckAfter()).isEqualTo(Duration.ofHours(2));
        assertThat(saved.retry().includes())
                .isEqualTo(List.of("java.io.IOException", "java.lang.IllegalStateException"));
        assertThat(page.locator("table.settings")).containsText("1 min 30 sec");

        page.locator("[data-key=settings]").click();
        assertThat(setting(page, "misfireThreshold")).hasValue("90s");
        assertThat(setting(page, "jobProperties")).hasValue("region=eu = west\npassword=******");
        setting(page, "jobProperties").fill("region=us\npassword=******");
        setting(page, "stuckAfter").fill("0");
        save(page);

        saved = definition("slow");
        assertThat(saved.jobProperties()).isEqualTo(Map.of("region", "us", "password", "one two"));
        assertThat(saved.watchdog().stuckAfter()).isZero();
        page.context().close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * * ?       | every second",
                "0 * * * * ?       | every minute",
                "0/15 * * * * ?    | every 15 seconds",
                "0 */5 * * * *     | every 5 minutes",
                "0 0/30 * * * ?    | every 30 minutes",
                "0 7 * * * ?       | every hour, at …:07",
                "0 30 */6 * * ?    | every 6 hours from 00:30",
                "0 30 2 * * ?      | every day at 02:30",
                "0 0 9,17 * * ?    | every day at 09:00 and 17:00",
                "0 0 6 ? * SUN     | Sunday: 06:00",
                "0 0 6 ? * TUE,THU | Tuesday and Thursday: 06:00",
                "0 0 6 ? * MON-FRI | Monday to Friday: 06:00",
                "0 0 6 1 * ?       | on day 1 of each month: 06:00",
                "0 0 6 L * ?       | on the last day of each month: 06:00",
                "0 0 4 1 1 ?       | January 1: 04:00",
                "0 0 4 24 DEC ?    | December 24: 04:00"
            })
    void ordinarySchedulesAreSaidInWords(String cron, String words) {
        Page page = settings("invoices", 1280, "en-US");

        assertThat(inWords(page, cron)).isEqualTo(words);
        page.context().close();
    }

    /** Steps that don't fill the hour, steps from another beginning, several days of the month, a nearest weekday. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 */7 * * * ?",
                "0 5/15 * * * ?",
                "0 0 0/5 * * ?",
                "0 0 6 1,15 * ?",
                "0 0 6 15W * ?",
                "0 0 6 ? * 2-6",
                "0 0 6 ? * 6L",
                "0 0 6 1 * MON",
                "0 0 9-17 * * ?",
                "30 0 6 * * ?",
                "0 0 6 * * ? 2027",
                "nonsense",
                ""
            })
    void whatIsNotOrdinaryIsNotGuessed(String cron) {
        Page page = settings("invoices", 1280, "en-US");

        assertThat(inWords(page, cron)).isEmpty();
        page.context().close();
    }

    private static String inWords(Page page, String cron) {
        return (String) page.evaluate(
                "(cron) => import(document.querySelector('script[type=module]').src.replace('main.js', 'cron.js'))"
                        + ".then((module) => module.inWords(cron))",
                cron);
    }
}

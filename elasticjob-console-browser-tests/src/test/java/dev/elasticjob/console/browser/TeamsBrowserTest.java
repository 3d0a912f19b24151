package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;

/** A user with the role of a team is offered what the team may do, and nothing else. On a real ZooKeeper. */
class TeamsBrowserTest extends OneYard {
    TeamsBrowserTest() {
        super(
                "--elasticjob.console.roles.teams.billing.jobs=inv*,bill?",
                "--elasticjob.console.roles.teams.billing.operator=GUEST");
    }

    private Page open(String query) {
        return browser.open("tom", query, 1280, "light", "en-US");
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void aJobOfTheTeamHasItsButtonsAndAnotherHasNone() {
        Page own = open("?job=invoices");
        button(own, "Run now").click();
        own.locator("dialog")
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Run now"))
                .click();
        assertThat(own.locator("dialog")).hasCount(0);
        assertThat(own.locator(".banner")).containsText("invoices");
        own.context().close();

        Page other = open("?job=slow");
        assertThat(other.locator(".map, table").first()).isVisible();
        assertThat(button(other, "Run now")).hasCount(0);
        assertThat(button(other, "Pause")).hasCount(0);
        assertThat(other.getByText("Drain")).hasCount(0);
        other.context().close();
    }

    @Test
    void settingsAreForThoseWhoMayChangeThem() {
        Page page = open("?job=invoices&tab=settings");
        assertThat(page.locator("table.settings")).isVisible();
        assertThat(page.locator("[data-key=settings]")).hasCount(0);
        page.context().close();
    }

    @Test
    void inTheListOnlyTheJobsOfTheTeamCanBeChosen() {
        Page page = open("?view=jobs");
        assertThat(page.locator("table.list tbody tr")).hasCount(2);
        assertThat(page.locator("table.list tbody input[type=checkbox]")).hasCount(1);
        assertThat(button(page, "Pause all")).hasCount(0);
        assertThat(button(page, "Create job")).hasCount(0);

        page.locator("table.list thead input[type=checkbox]").check();
        assertThat(page.locator(".bulk strong")).containsText("1");
        page.context().close();
    }

    @Test
    void aServerIsDisabledForTheJobsOfTheTeamAndNotDrainedForAll() {
        Page page = open("?view=servers&server=10.0.0.1");
        assertThat(page.locator("[data-key=disable-server]")).containsText("1");
        assertThat(page.getByText("Drain")).hasCount(0);
        page.context().close();
    }
}

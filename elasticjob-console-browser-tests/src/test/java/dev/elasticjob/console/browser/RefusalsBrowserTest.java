package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can't be done is said where the eye and the focus are, and so is what was done. On a real ZooKeeper. */
class RefusalsBrowserTest extends OneYard {
    private static final String TOO_LONG = "x".repeat(1001);

    @Test
    void valuesOfAWrongKindAreMarkedAtTheirFieldsAndTheFirstIsInViewWithTheFocus() {
        Page page = edited();
        setting(page, "shardingTotalCount").fill("abc");
        setting(page, "timeout").fill("5 parsecs");
        setting(page, "timeZone").fill("Europe/Nowhere");
        setting(page, "description").fill("typed");

        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();

        Locator wrong = page.locator("[aria-invalid=true]");
        assertThat(wrong).hasCount(3);
        assertThat(wrong.first()).isFocused();
        assertThat(wrong.first()).isInViewport();
        assertThat(saidOf(page, "shardingTotalCount")).hasText("expected a whole number");
        assertThat(saidOf(page, "timeout")).containsText("expected a duration");
        assertThat(saidOf(page, "timeZone")).containsText("expected a time zone");
        assertThat(page.locator(".edit .banner")).hasText("Some values can’t be used. Nothing was changed.");
        assertThat(setting(page, "description")).hasValue("typed");
        Browser.assertAccessible(page, "wrong kinds");
        page.context().close();
    }

    @Test
    void aConflictIsInViewWithTheFocusAndSaysThatNothingWasSaved() throws Exception {
        Page page = edited();
        setting(page, "description").fill("mine");
        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();
        assertThat(page.locator("dialog .conflict").first()).isVisible();

        yard.getBean(JobAdmin.class)
                .redefine(
                        "invoices", job -> job.toBuilder().description("theirs").build())
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Save")).click();

        Locator conflict = page.locator("section").filter(with("Somebody else has changed the settings"));
        assertThat(conflict).isFocused();
        assertThat(conflict.getByRole(AriaRole.HEADING)).isInViewport();
        assertThat(conflict).containsText("Nothing of yours has been saved.");
        assertThat(conflict.locator("tbody td").nth(1)).hasText("theirs");
        assertThat(conflict.locator("tbody td").nth(2)).hasText("mine");
        page.context().close();
    }

    /** The page's next look at the settings never comes: what it shows is what was answered. */
    @Test
    void whatWasSavedIsShownAtOnceAndChangedAgainWithoutAConflict() {
        Page page = edited();
        setting(page, "description").fill("first");
        page.route(Pattern.compile("/definition$"), request -> {
            if (!request.request().method().equals("GET")) {
                request.resume();
            }
        });
        save(page);

        assertThat(page.locator("table.settings")).containsText("first");
        page.getByRole(AriaRole.BUTTON, exactly("Edit")).click();
        assertThat(setting(page, "description")).hasValue("first");
        setting(page, "description").fill("second");
        save(page);
        assertThat(page.locator("table.settings")).containsText("second");
        assertThat(page.locator("[data-conflict]")).hasCount(0);
        page.context().close();
    }

    /** Spoilt in ZooKeeper, and repaired from the page: the instance takes the job up again. */
    @Test
    void settingsThatCannotBeReadAreShownWithTheirPlaceAndRepaired() {
        JobTree tree = new JobTree("invoices");
        Page page = browser.open("ann", "?job=invoices", 1280, "light", "en-US");
        Registry registry = yard.getBean(Registry.class);
        String before = registry.read(List.of(RegistryRead.data(tree.config())))
                .toCompletableFuture()
                .join()
                .node(tree.config())
                .orElseThrow()
                .text();
        registry.commit(RegistryCommit.builder()
                        .set(
                                tree.config(),
                                before.replace("\"shardingTotalCount\":2", "\"shardingTotalCount\":\"two\""),
                                RegistryCommit.ANY_VERSION)
                        .build())
                .toCompletableFuture()
                .join();

        page.getByRole(AriaRole.LINK, exactly("Show what is wrong")).click();

        Locator section = page.locator(".unreadable");
        assertThat(section).containsText("The settings can’t be used");
        assertThat(section.locator(".facts")).containsText("/invoices/config");
        assertThat(section.locator(".faults tbody tr")).hasCount(1);
        assertThat(section.locator(".faults tbody tr")).containsText("shardingTotalCount");
        assertThat(section.locator(".faults tbody tr")).containsText("two");
        assertThat(section.locator(".settings").last()).containsText("0 30 2 * * ?");
        Browser.assertAccessible(page, "unreadable settings");
        page.getByRole(AriaRole.BUTTON, exactly("Repair…")).click();
        assertThat(setting(page, "shardingTotalCount")).hasAttribute("aria-invalid", "true");
        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();
        assertThat(page.locator("dialog")).hasCount(0);
        assertThat(setting(page, "shardingTotalCount")).isFocused();
        setting(page, "shardingTotalCount").fill("2");
        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();
        Locator dialog = page.locator("dialog");
        assertThat(dialog).containsText("take it up again");
        assertThat(dialog.locator(".conflict tbody tr").first()).containsText("Items");
        dialog.getByRole(AriaRole.BUTTON, inside("Repair")).click();

        assertThat(page.locator(".notice.done")).containsText("are repaired");
        assertThat(page.locator("table.settings")).containsText("0 30 2 * * ?");
        assertThat(page.locator(".banner.bad")).hasCount(0);
        assertThat(page.locator(".unreadable")).hasCount(0);
        page.context().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"?view=jobs", "?job=invoices&item=1", "?job=invoices&tab=settings", "?view=servers"})
    void everyDialogGivesTheFocusBackToWhatOpenedIt(String address) {
        Page page = browser.open("ann", address, 1280, "light", "en-US");
        page.locator("main table tbody tr").first().waitFor();
        List<String> keys = controls(page);
        assertThat(keys).isNotEmpty();

        for (String key : keys) {
            Locator control = page.locator("[data-key='%s']".formatted(key)).first();
            control.click();
            assertThat(page.locator("dialog")).isVisible();
            page.keyboard().press("Escape");
            assertThat(page.locator("dialog")).hasCount(0);
            assertThat(control).isFocused();
        }
        page.context().close();
    }

    /** Those that open a dialog: the keys are of commands. */
    @SuppressWarnings("unchecked")
    private static List<String> controls(Page page) {
        return (List<String>) page.evaluate("[...document.querySelectorAll('button[data-key]')]"
                + ".map(one => one.dataset.key).filter(key => key.startsWith('['))");
    }

    @Test
    void afterACommandTheFocusIsOnWhatUndoesIt() {
        Page page = browser.open("?job=invoices&item=1", 1280, "light", "en-US");

        for (String[] pair : new String[][] {{"Pause", "Resume"}, {"Disable", "Enable"}, {"Drain", "End the drain"}}) {
            for (UnaryOperator<String[]> turn :
                    List.<UnaryOperator<String[]>>of(both -> both, both -> new String[] {both[1], both[0]})) {
                String[] now = turn.apply(pair);
                page.getByRole(AriaRole.BUTTON, exactly(now[0])).first().click();
                assertThat(page.locator("dialog li").first()).isVisible();
                page.locator("dialog")
                        .getByRole(AriaRole.BUTTON, inside(now[0]))
                        .click();
                assertThat(page.locator("dialog")).hasCount(0);
                assertThat(page.getByRole(AriaRole.BUTTON, exactly(now[1])).first())
                        .isFocused();
            }
        }
        page.context().close();
    }

    @Test
    void escapeClosesTheItemAndItsSquareHasTheFocus() {
        Page page = browser.open("?job=invoices", 1280, "light", "en-US");
        Locator square = page.locator(".square").nth(1);
        square.click();
        assertThat(page.locator(".panel h2")).hasText("Item 1");

        page.keyboard().press("Escape");

        assertThat(page.locator(".panel")).hasCount(0);
        assertThat(square).isFocused();
        page.context().close();
    }

    @Test
    void aReasonThatIsTooLongIsMarkedInEachKindOfDialog() {
        Page page = browser.open("ann", "?view=jobs", 1280, "light", "en-US");
        page.getByRole(AriaRole.BUTTON, exactly("Pause all jobs")).click();
        refusedReason(page, "Pause all jobs");

        page.getByLabel("Choose invoices").check();
        page.locator(".bulk").getByRole(AriaRole.BUTTON, inside("Pause")).click();
        refusedReason(page, "Pause");

        page.navigate(Yard.address(yard) + "/elasticjob/?job=invoices");
        page.getByRole(AriaRole.BUTTON, exactly("Run now")).click();
        refusedReason(page, "Run now");
        page.context().close();
    }

    private static void refusedReason(Page page, String command) {
        Locator dialog = page.locator("dialog");
        assertThat(dialog.locator("li").first()).isVisible();
        Locator reason = dialog.locator("input[name=reason]");
        // The browser would cut it.
        reason.evaluate("(field, text) => field.value = text", TOO_LONG);
        dialog.getByRole(AriaRole.BUTTON, inside(command)).click();
        assertThat(reason).hasAttribute("aria-invalid", "true");
        assertThat(reason).isFocused();
        assertThat(dialog.locator(".wrong li")).containsText("1000");
        assertThat(dialog.locator(".banner.bad")).containsText("Nothing was changed.");
        Browser.assertAccessible(page, "refused " + command);
        page.keyboard().press("Escape");
        assertThat(dialog).hasCount(0);
    }

    private Page edited() {
        Page page = browser.open("ann", "?job=invoices&tab=settings", 1280, "light", "en-US");
        page.getByRole(AriaRole.BUTTON, exactly("Edit")).click();
        return page;
    }

    private static void save(Page page) {
        page.getByRole(AriaRole.BUTTON, exactly("Review the change")).click();
        assertThat(page.locator("dialog .conflict").first()).isVisible();
        page.locator("dialog").getByRole(AriaRole.BUTTON, inside("Save")).click();
        assertThat(page.locator("dialog")).hasCount(0);
    }

    private static Locator setting(Page page, String name) {
        return page.locator("[name='%s']".formatted(name));
    }

    /** What is wrong comes before the help. */
    private static Locator saidOf(Page page, String name) {
        return page.locator(
                "#" + setting(page, name).getAttribute("aria-describedby").split(" ")[0]);
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

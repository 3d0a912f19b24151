package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Whoever goes to a screen has the focus there at once, and keeps it wherever they move it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FocusBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String REGISTRY = "select[name=registry]";

    private final Namespace north = new Namespace("north", "orders");
    private final Namespace south = new Namespace("south", "bills");
    private ConfigurableApplicationContext console;
    private Browser browser;

    @BeforeAll
    void start() throws Exception {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        north.register();
        south.register();
        console = Namespace.show(north, south);
        browser = Browser.at("http://localhost:" + console.getEnvironment().getProperty("local.server.port"));
    }

    @AfterAll
    void stop() {
        browser.close();
        console.close();
        north.close();
        south.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    /** Some screens are fetched when somebody goes there: until then, a heading stands for them. */
    @ParameterizedTest
    @CsvSource({
        "job, .jobs tbody a",
        "servers, .screens a[href*='view=servers']",
        "groups, .screens a[href*='view=groups']",
        "apps, .screens a[href*='view=apps']",
        "history, .screens a[href*='view=history']",
        "operations, .screens a[href*='view=operations']",
        "registries, .brand"
    })
    void theHeadingOfAScreenHasTheFocusAtOnceAndTheReaderMayMoveItOn(String screen, String link) {
        Page page = browser.open("?view=jobs&registry=north", 1280, "light", "en-US");
        assertThat(page.locator(".jobs tbody")).containsText("orders");
        List<Route> fetching = holding(page, screen);

        assertArrivesAtOnce(page, link);
        await(page, fetching).resume();
        assertThat(page.locator(".loading")).hasCount(0);
        assertThat(page.locator("h1")).isFocused();
        page.goBack();
        assertThat(page.locator(".jobs tbody")).containsText("orders");
        page.clock().install();
        assertArrivesAtOnce(page, link);
        page.locator(REGISTRY).focus();
        page.clock().runFor(1_000);

        assertThat(page.locator(REGISTRY)).isFocused();
        page.context().close();
    }

    private static void assertArrivesAtOnce(Page page, String link) {
        Object focused = page.locator(link).first().evaluate("""
                link => {
                  link.focus();
                  link.click();
                  return document.activeElement.tagName;
                }""");
        Assertions.assertThat(focused).isEqualTo("H1");
    }

    @Test
    void aScreenThatIsFetchedLateLeavesTheFocusWhereTheReaderHasMovedIt() {
        Page page = browser.open("?view=jobs&registry=north", 1280, "light", "en-US");
        assertThat(page.locator(".jobs tbody")).containsText("orders");
        page.clock().install();
        List<Route> fetching = holding(page, "servers");
        page.locator(".screens a[href*='view=servers']").click();
        Route held = await(page, fetching);
        page.clock().runFor(1_000);

        page.locator(REGISTRY).focus();
        held.resume();
        assertThat(page.locator(".loading")).hasCount(0);
        page.clock().runFor(1_000);

        assertThat(page.locator(REGISTRY)).isFocused();
        page.context().close();
    }

    private static List<Route> holding(Page page, String screen) {
        List<Route> held = new ArrayList<>();
        page.route(Pattern.compile("/" + screen + "\\.js$"), held::add);
        return held;
    }

    private static Route await(Page page, List<Route> held) {
        page.waitForCondition(() -> !held.isEmpty());
        return held.get(0);
    }

    @Test
    void whoGoesThroughTheRegistriesFromAJobStaysInTheChooser() {
        Page page = browser.open("?job=orders&registry=north", 1280, "light", "en-US");
        assertThat(page.locator("h1")).hasText("orders");
        page.locator(REGISTRY).focus();

        page.selectOption(REGISTRY, "south");

        assertThat(page.locator(".jobs tbody")).containsText("bills");
        assertThat(page.locator(REGISTRY)).isFocused();
        page.context().close();
    }
}

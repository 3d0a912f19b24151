package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The screens with a fleet as people have it, looked at as an eye would. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealWorldBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String JOBS = "?view=jobs";
    private static final String RUN = RealWorld.FAILING + "@2026-11-22T04:00:00Z";
    private static final Path SCREENSHOTS = Path.of("target", "screenshots", "real-world");

    private RealWorld.World world;
    private Browser browser;

    @BeforeAll
    void start() throws Exception {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        world = RealWorld.run(
                "--server.port=0",
                "--elasticjob.registry.namespace=shop-production",
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.console.roles.admin=BOSS");
        browser = Browser.at("http://localhost:" + world.port());
    }

    @AfterAll
    void stop() {
        browser.close();
        world.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    /** Each screen: its address, and what is there when it is whole. */
    static Stream<Arguments> screens() {
        List<List<String>> screens = List.of(
                List.of("jobs", JOBS, ".list .chip.bad"),
                List.of("attention", "?view=attention", ".findings tbody tr"),
                List.of("job", "?job=" + RealWorld.FAILING, ".square.bad"),
                List.of("job-item", "?job=" + RealWorld.FAILING + "&item=3", ".failure"),
                List.of("job-unreadable", "?job=" + RealWorld.UNREADABLE, ".banner.bad"),
                List.of("job-longest-name", "?job=" + RealWorld.LONGEST, ".square"),
                List.of("firings", "?job=" + RealWorld.FAILING + "&tab=firings", ".grid .square.bad"),
                List.of("one-firing", "?job=" + RealWorld.FAILING + "&tab=firings&firing=" + RUN, ".timeline rect"),
                List.of("firings-many-items", "?job=" + RealWorld.MANY + "&tab=firings", ".grid .square"),
                List.of("history", "?view=history", ".load rect"),
                List.of("servers", "?view=servers", ".servers tbody .chip"),
                List.of("server", "?view=servers&server=10.0.4.21", ".parts tbody tr"),
                List.of("server-drained", "?view=servers&server=" + RealWorld.DRAINED, ".parts .badge.warn"),
                List.of("job-many-items", "?job=" + RealWorld.MANY, ".square"));
        return screens.stream()
                .flatMap(screen -> Stream.of("en-US", "zh-CN")
                        .flatMap(language -> Stream.of(1440, 1280, 1024, 390)
                                .map(width ->
                                        Arguments.of(screen.get(0), screen.get(1), screen.get(2), language, width))));
    }

    @ParameterizedTest
    @MethodSource("screens")
    void nothingIsCutNoWordIsBrokenAndNothingIsOutOfView(
            String name, String address, String whole, String language, int width) {
        Page page = browser.open("ann", address, width, "light", language);

        page.waitForSelector(whole);

        Looks.assertRight(page, "%s in %s, %d wide".formatted(name, language, width));
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(SCREENSHOTS.resolve("%s-%d-%s-%s.png".formatted(name, width, theme, language))));
        }
        page.context().close();
    }

    @Test
    void theHistoryShowsHowMuchWasExecutedHowLateItBeganAndWhere() {
        Page page = browser.open("ann", "?view=history", 1440, "light", "en-US");

        Locator load = page.locator("section.load");
        assertThat(load.locator("figure").first()).containsText("Executions at once");
        assertThat(load.locator("figure").last()).containsText(Pattern.compile("Late\\s+1 min|Late\\s+\\d+ s"));
        assertThat(load.locator("rect.bad").first()).isAttached();
        load.locator("summary").click();
        assertThat(load.locator("tbody tr")).hasCount(3);
        assertThat(load.locator("tbody tr").first()).containsText("10.0.4.21@-@shop-21");
        Browser.assertAccessible(page, "the history with its load");
        page.context().close();
    }

    @Test
    void aJobThatCannotBeReadOffersItsRepairAndNothingThatItWouldNotCarryOut() {
        Page page = browser.open("ann", "?view=attention", 1440, "light", "zh-CN");
        Locator finding =
                page.locator(".findings tbody tr", new Page.LocatorOptions().setHasText(RealWorld.UNREADABLE));
        assertThat(finding).containsText("不会启动该作业的任何执行");
        finding.locator("a.button").click();

        assertThat(page.locator(".unreadable")).isVisible();
        assertThat(page.locator("header.head .actions button")).hasCount(1);
        assertThat(page.locator(".banner.bad")).containsText("修复配置之前，不会启动该作业的任何执行");
        page.context().close();
    }

    @Test
    void ofAFailedItemTheFailureComesFirstAndItsFiringIsNamedByItsTime() {
        Page page = browser.open("ann", "?job=" + RealWorld.FAILING + "&item=3", 1440, "light", "en-US");
        assertThat(page.locator(".panel .trouble")).containsText("Failed");
        page.locator(".panel > .actions").getByText("Run failed items again").click();

        assertThat(page.locator("dialog h2")).containsText(Pattern.compile("in the firing of .*\\d again\\?"));
        page.context().close();
    }

    @Test
    void eighteenJobsFitOnAScreenTheirNamesFirstAndWithRoom() {
        Page page = browser.open("ann", JOBS, 1440, "light", "en-US");
        page.setViewportSize(1440, 900);
        page.waitForSelector(".list .strip");

        assertThat(page.evaluate("[...document.querySelectorAll('.list tbody tr')]"
                        + ".filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length"))
                .as("jobs on the screen")
                .satisfies(count -> assertThat((int) count).isGreaterThanOrEqualTo(18));
        assertThat(page.evaluate("Math.min(...[...document.querySelectorAll('.list tbody th')].map((name) => "
                        + "name.clientWidth / new OffscreenCanvas(1, 1).getContext('2d')"
                        + ".measureText('0').width)) >= 24"))
                .as("room for 24 characters")
                .isEqualTo(true);
        page.context().close();
    }

    @Test
    void aJobHasOneStateWhichSaysWhatIsTrueOfIt() {
        Page page = browser.open("ann", JOBS, 1440, "light", "en-US");

        assertThat(state(page, "order-import-from-marketplaces")).hasText("✓Healthy");
        assertThat(state(page, RealWorld.FAILING)).containsText("Failed (3 of 6) for ");
        assertThat(state(page, RealWorld.STUCK)).containsText("Runs too long for ");
        assertThat(state(page, RealWorld.PAUSED)).containsText("Paused Paused by ");
        assertThat(state(page, RealWorld.UNREADABLE)).hasText("!Unreadable");
        assertThat(state(page, RealWorld.DISABLED)).hasText("Disabled");
        assertThat(state(page, RealWorld.NOWHERE)).hasText("○No instance");
        assertThat(page.locator(".list .chip")).hasCount(RealWorld.NAMES.size() + 1);
        page.context().close();
    }

    @Test
    void theLatestFiringsOfAJobAreAStrip() {
        Page page = browser.open("ann", JOBS, 1440, "light", "en-US");

        assertThat(row(page, RealWorld.FAILING).locator(".strip"))
                .hasAttribute("aria-label", "20 firings, 13 with trouble");
        assertThat(row(page, RealWorld.FAILING).locator(".strip i.bad")).hasCount(13);
        assertThat(row(page, "order-export").locator(".strip i.good")).hasCount(20);
        page.context().close();
    }

    @Test
    void fiftyFiringsAreInViewAndTheirDaysAreSaidOnce() {
        Page page = browser.open("ann", "?job=" + RealWorld.FAILING + "&tab=firings", 1280, "light", "en-US");
        Locator heads = page.locator(".grid thead th:not(:first-child)");
        assertThat(heads).hasCount(50);

        assertThat(
                        page.evaluate(
                                "[...document.querySelectorAll('.grid th, .grid td')].every((cell) => "
                                        + "cell.getBoundingClientRect().left >= 0 && cell.getBoundingClientRect().right <= innerWidth)"))
                .isEqualTo(true);
        assertThat(heads.locator("b")).hasText(new String[] {"Nov 21", "Nov 22"});
        assertThat(heads.last()).hasText("05:00");
        assertThat(page.locator(".grid tbody tr").first().locator("td").last().locator(".bad"))
                .hasCount(1);
        page.context().close();
    }

    @Test
    void aFiringShowsWhichInstanceExecutedWhatAndWhatWasSlow() {
        Page page = browser.open("ann", "?job=" + RealWorld.FAILING + "&tab=firings", 1280, "light", "en-US");
        assertThat(page.locator(".chart rect")).hasCount(50);
        assertThat(page.locator(".chart")).containsText("37 of 50 without trouble");

        page.locator(".grid thead th a").last().click();

        Locator firing = page.locator(".panel.firing");
        assertThat(firing.locator("header .chip")).hasText("✕Failed");
        assertThat(firing.locator(".facts")).containsText("3 of 6");
        assertThat(firing.locator(".timeline rect")).hasCount(7);
        assertThat(firing.locator(".timeline .name")).hasText(new String[] {
            "10.0.4.21@-@shop-21", "10.0.4.22@-@shop-22", "10.0.4.23@-@shop-23", "10.0.4.9@-@shop-9"
        });
        Locator rows = firing.locator("tbody tr");
        assertThat(rows).hasCount(7);
        assertThat(rows.first()).containsText("Item 5");
        assertThat(rows.first()).containsText("× the median");
        assertThat(rows.first().locator(".problem"))
                .hasText("java.lang.IllegalStateException: The mail server refused the connection");
        assertThat(rows.filter(new Locator.FilterOptions().setHasText("Attempt 2")))
                .containsText("Item 1");

        rows.first().locator("button").click();

        assertThat(page.locator(".split.open .panel:not(.firing)")).containsText("smtp.example.com refused");
        assertThat(page.locator(".panel:not(.firing) .facts a")).hasAttribute("href", Pattern.compile(".*firing=.*"));
        firing.locator(".close").click();
        assertThat(firing).hasCount(0);
        page.context().close();
    }

    @Test
    void aFiringOfAThousandItemsIsListedInParts() {
        Page page = browser.open("ann", "?job=" + RealWorld.MANY + "&tab=firings", 1280, "light", "en-US");

        page.locator(".grid thead th a").last().click();

        Locator firing = page.locator(".panel.firing");
        assertThat(firing.locator(".timeline rect")).hasCount(1_001);
        assertThat(firing.locator("tbody tr")).hasCount(20);
        firing.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("All 1,001 executions"))
                .click();
        assertThat(firing.locator("tbody tr")).hasCount(1_000);
        page.context().close();
    }

    @Test
    void aJobsPageHasTheSameStateAsTheList() {
        Page page = browser.open("ann", "?job=" + RealWorld.FAILING, 1280, "light", "en-US");

        assertThat(page.locator("header.head")).containsText("Failed (3 of 6) for ");
        page.context().close();
    }

    @Test
    void onATelephoneAJobIsOneLine() {
        Page page = browser.open("ann", JOBS, 390, "light", "en-US");
        page.waitForSelector(".list .chip");

        assertThat(page.evaluate(
                        "document.documentElement.scrollHeight / document.querySelectorAll('.list tbody tr').length"))
                .as("pixels for a job")
                .satisfies(pixels -> assertThat(((Number) pixels).doubleValue()).isLessThan(60));
        page.context().close();
    }

    private static Locator row(Page page, String job) {
        return page.locator(".list tbody tr")
                .filter(new Locator.FilterOptions()
                        .setHas(page.getByRole(
                                AriaRole.LINK,
                                new Page.GetByRoleOptions().setName(job).setExact(true))));
    }

    private static Locator state(Page page, String job) {
        return row(page, job).locator(".state");
    }
}

package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;

/** A console that shows several registries, as the stand-alone one does, while one of them is away, or empty. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeveralRegistriesBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String REGISTRY = "select[name=registry]";

    private final Namespace north = new Namespace("north", "orders");
    private final Namespace south = new Namespace("south", "bills");
    private final Namespace west = new Namespace("west", "never registered");
    private ConfigurableApplicationContext console;
    private Browser browser;

    @BeforeAll
    void start() throws Exception {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        north.register();
        south.register();
        console = Namespace.show(north, south, west);
        browser = Browser.at("http://localhost:" + console.getEnvironment().getProperty("local.server.port"));
    }

    @AfterAll
    void stop() {
        browser.close();
        console.close();
        north.close();
        south.close();
        west.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    @Test
    void oneThatIsAwaySaysSoTheOtherWorksAndItComesBackByItself() {
        Page page = browser.open("?view=jobs&registry=south", 1280, "light", "en-US");
        Page other = browser.open("?view=jobs&registry=north", 1280, "light", "en-US");
        Locator jobs = page.locator(".jobs tbody tr");
        assertThat(jobs).containsText("bills");

        south.registry.disconnect();

        assertThat(page.locator(".banner.warn")).containsText("The registry doesn’t answer");
        assertThat(jobs).containsText("bills");
        page.selectOption(REGISTRY, "north");
        assertThat(jobs).containsText("orders");
        assertThat(page.locator(".banner")).hasCount(0);
        // Without a picture of it, nothing of the other registry stands under its name.
        page.selectOption(REGISTRY, "south");
        assertThat(page.locator(".empty")).containsText("The registry doesn’t answer");
        assertThat(jobs).hasCount(0);
        Browser.assertAccessible(page, "registry away");
        page.selectOption(REGISTRY, "north");
        jobs.getByRole(AriaRole.LINK).first().click();
        page.getByRole(AriaRole.BUTTON, exactly("Pause")).click();
        assertThat(page.locator("dialog")).containsText("north");
        page.locator("dialog")
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Pause"))
                .click();
        assertThat(page.locator(".notice.done")).isVisible();
        assertThat(page.locator(".banner.warn")).containsText("Paused by mei");
        page.selectOption(REGISTRY, "south");
        assertThat(page.locator(".empty")).containsText("The registry doesn’t answer");
        south.registry.reconnect();

        assertThat(jobs).containsText("bills");
        assertThat(other.locator(".banner")).hasCount(0);
        page.context().close();
        other.context().close();
    }

    @ParameterizedTest
    @CsvSource({
        "jobs, en-US, There are no jobs yet, A job appears here when an application that declares it starts.",
        "jobs, zh-CN, 还没有作业, 声明了作业的应用启动后，作业会显示在这里。",
        "attention, en-US, Nothing needs you, 'disabled items and cancelled executions are decisions of people'",
        "servers, en-US, There are no servers yet, There are no servers yet"
    })
    void anEmptyRegistrySaysSoAndWhatComesNext(String view, String language, String what, String why) {
        Page page = browser.open("?registry=west&view=" + view, 1280, "light", language);

        assertThat(page.locator(".empty h2")).hasText(what);
        assertThat(page.locator(".empty")).containsText(why);
        assertThat(page.locator(".banner")).hasCount(0);
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
            Browser.assertAccessible(page, "empty registry, " + theme);
        }
        page.context().close();
    }

    /** Of these, one is dead before anybody has looked at it, or dies while somebody looks. */
    @Test
    void anAddressWithoutARegistryShowsHowEachIsAndADeadOneIsNeverFine() {
        west.registry.disconnect();
        Page page = browser.open("", 1280, "light", "en-US");
        Locator healthy = page.locator("tbody tr", containing("north"));
        Locator dies = page.locator("tbody tr", containing("south"));
        Locator dead = page.locator("tbody tr", containing("west"));

        assertThat(page.locator("h1")).hasText("All registries");
        assertThat(healthy.locator(".chip")).containsText("1 severe");
        assertThat(healthy).containsText("No instance: orders");
        assertThat(healthy).containsText("as of");
        assertThat(dies).containsText("No instance: bills");
        assertThat(dead.locator(".chip.unknown")).hasText("?Not known");
        assertThat(dead).containsText("The registry doesn’t answer");
        assertThat(page.locator(".head")).containsText("3 registries: 0 healthy, 2 with findings, 1 not known");
        assertThat(page.locator(".banner")).hasCount(0);
        for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
            Browser.assertAccessible(page, "all registries, " + theme);
        }

        south.registry.disconnect();

        assertThat(dies.locator(".chip.unknown")).containsText("Not known since");
        assertThat(dies).not().containsText("bills");
        assertThat(healthy.locator(".chip")).containsText("1 severe");
        assertThat(page.locator(".banner")).hasCount(0);

        west.registry.reconnect();
        south.registry.reconnect();

        assertThat(dead.locator(".chip.good")).containsText("Healthy");
        assertThat(dies).containsText("No instance: bills");
        dies.locator("a").first().click();
        assertThat(page.locator("h1")).hasText("Attention");
        assertThat(page.locator("h1")).isFocused();
        assertThat(page.locator(REGISTRY)).hasValue("south");
        assertThat(page.locator(".findings")).containsText("bills");
        page.locator(REGISTRY).focus();
        page.selectOption(REGISTRY, "");
        assertThat(page.locator("h1")).hasText("All registries");
        assertThat(page.locator(REGISTRY)).isFocused();
        page.locator(".brand").click();
        assertThat(page.locator(REGISTRY)).hasValue("");
        page.context().close();
    }

    private static Page.LocatorOptions containing(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }

    @Test
    void anAddressOfAScreenWithoutARegistryLeadsOnToThatScreenOfEach() {
        Page page = browser.open("?view=jobs", 390, "light", "zh-CN");

        assertThat(page.locator("h1")).hasText("所有注册中心");
        page.locator("tbody a").first().click();

        assertThat(page.locator("h1")).hasText("作业");
        assertThat(page.locator(REGISTRY)).hasValue("north");
        page.context().close();
    }

    private static Page.GetByRoleOptions exactly(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }
}

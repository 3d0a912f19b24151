package dev.elasticjob.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A Chromium of the system, and what goes wrong in it. Used by one thread. */
final class Browser implements AutoCloseable {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String PATH = "/elasticjob/";

    private final Playwright playwright =
            Playwright.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    private final com.microsoft.playwright.Browser chromium;
    private final String origin;
    private final List<String> complaints = new ArrayList<>();
    /** Cookies by user. */
    private final Map<String, String> sessions = new HashMap<>();

    private Browser(Path executable, String origin) {
        this.origin = origin;
        // The tests may run as root, where Chromium's sandbox can't.
        chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(executable)
                        .setArgs(List.of("--no-sandbox")));
    }

    /** @param origin of the application; with a path, everything has to be asked for below that */
    static Browser at(String origin) {
        return new Browser(
                executable()
                        .orElseThrow(() -> new IllegalStateException("Expected a Chromium in the path; install it")),
                origin);
    }

    private static Optional<Path> executable() {
        return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    String version() {
        return chromium.version();
    }

    /** A new window, signed in. */
    Page open(String query, int width, String theme, String language) {
        return open("mei", query, width, theme, language);
    }

    /** A user signs in once, and comes back with the same session. */
    Page open(String user, String query, int width, String theme, String language) {
        String session = sessions.computeIfAbsent(user, this::session);
        Page page = window(options(width, theme, language).setStorageState(session));
        page.navigate(origin + PATH + query);
        return page;
    }

    private String session(String user) {
        Page page = signIn(user, "");
        page.waitForSelector("h1");
        String session = page.context().storageState();
        page.context().close();
        return session;
    }

    /** A new window that asks for the page first, is sent to the login, and signs in with a session of its own. */
    Page signIn(String user, String query) {
        Page page = window(options(1280, "light", "en-US"));
        page.navigate(origin + PATH + query);
        fillLogin(page, user);
        return page;
    }

    static void fillLogin(Page page, String user) {
        page.fill("#username", user);
        page.fill("#password", user);
        page.click("button");
    }

    private static NewContextOptions options(int width, String theme, String language) {
        return new NewContextOptions()
                .setViewportSize(width, 800)
                .setColorScheme(theme.equals("dark") ? ColorScheme.DARK : ColorScheme.LIGHT)
                .setLocale(language)
                .setTimezoneId("Europe/Berlin");
    }

    private Page window(NewContextOptions options) {
        BrowserContext context = chromium.newContext(options);
        context.setDefaultTimeout(LIMIT_MILLIS);
        Page page = context.newPage();
        page.onPageError(error -> complaints.add("error: " + error));
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")
                    && !message.text().contains("404 (")
                    && !message.text().contains("401 (")
                    && !message.text().contains("503 (")
                    // A request that a test has stopped.
                    && !message.text().contains("ERR_FAILED")
                    && !message.text().contains("400 ()")
                    && !message.text().contains("409 ()")) {
                complaints.add("console: " + message.text());
            }
        });
        page.onRequest(request -> {
            if (!request.url().startsWith(origin) && !request.url().startsWith("data:")) {
                complaints.add("asked another host: " + request.url());
            }
        });
        return page;
    }

    /** Nothing on the page is hidden from those who don't see, hear or point. */
    static void assertAccessible(Page page, String what) {
        var options = new AxeRunOptions();
        options.setResultTypes(List.of("violations"));
        // The other mode opens one more window, for frames of other hosts: there are none.
        var axe = new AxeBuilder(page).setLegacyMode(true).options(options);
        assertThat(axe.analyze().getViolations())
                .as(what)
                .extracting(rule -> rule.getId() + ": " + rule.getNodes())
                .isEmpty();
    }

    /** No error, no report of the policy, no request to another host, in any window since the start. */
    void assertNothingWentWrong() {
        assertThat(complaints).isEmpty();
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}

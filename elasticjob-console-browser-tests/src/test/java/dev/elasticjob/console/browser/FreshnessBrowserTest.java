package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Executions;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.history.Operations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How old each part of a page is, while the registry, the database of the trace and the application stop and return. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FreshnessBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String AGAIN = "Try again";

    private ConfigurableApplicationContext first;
    private Wire wire;
    private ConfigurableApplicationContext watched;
    private Browser browser;

    @BeforeAll
    void start() throws Exception {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        first = Yard.run("10.0.0.1");
        wire = new Wire(Yard.connectString(first));
        watched = new SpringApplication(Watched.class)
                .run(
                        "--server.port=0",
                        "--elasticjob.registry.namespace=yard",
                        "--elasticjob.registry.connect-string=" + wire.address(),
                        "--elasticjob.instance.ip=10.0.0.2",
                        "--elasticjob.console.roles.operator=OPS",
                        "--elasticjob.console.roles.admin=BOSS");
        browser = Browser.at(Yard.address(watched));
    }

    @AfterAll
    void stop() throws Exception {
        browser.close();
        watched.close();
        wire.close();
        first.close();
    }

    @AfterEach
    void nothingWentWrong() {
        watched.getBean(Database.class).away = false;
        wire.mend();
        browser.assertNothingWentWrong();
    }

    @Test
    void aFiringThatIsNewInTheTraceAppearsByItself() {
        Database database = watched.getBean(Database.class);
        Page page = browser.open("?job=slow&tab=firings", 1280, "light", "en-US");
        assertThat(page.locator(".grid thead th.day")).not().hasCount(0);
        assertThat(page.locator(".part > .asof")).containsText("as of");
        Locator failed = page.locator(".grid .square.bad");
        assertThat(failed).hasCount(2);

        database.firings = 1;

        assertThat(failed).hasCount(1);
        database.firings = ConsoleHistory.MOST_FIRINGS;
        assertThat(failed).hasCount(2);
        page.context().close();
    }

    @Test
    void aDatabaseThatStopsIsSaidAtItsPartAndIsAskedAgainOnRequest() {
        Database database = watched.getBean(Database.class);
        Page page = browser.open("?job=slow&tab=firings", 1280, "light", "en-US");
        Page list = browser.open("?view=jobs", 1280, "light", "en-US");
        Page unseen = browser.open("?view=jobs", 1280, "light", "en-US");
        Locator part = page.locator(".part");
        assertThat(part.locator(".square").first()).isVisible();
        assertThat(list.locator(".strip").first()).isVisible();

        database.away = true;

        assertThat(part).hasClass(Pattern.compile(".*late.*"));
        assertThat(part.locator(".asof")).containsText("old");
        assertThat(part.locator(".asof")).containsText("The database of the trace doesn’t answer");
        assertThat(part.locator(".asof")).containsText(Pattern.compile("Next try in [1-5] s|Trying"));
        assertThat(part.locator(".square").first()).isVisible();
        assertThat(page.locator(".top .fresh")).hasClass(Pattern.compile(".*stale.*"));
        assertThat(page.locator(".head")).not().hasClass(Pattern.compile(".*late.*"));
        assertThat(page.locator(".banner")).hasCount(0);
        Browser.assertAccessible(page, "a database that has stopped");
        assertThat(list.locator("main > .asof, main .asof.stale")).containsText("Last 20 firings");
        assertThat(list.locator(".banner")).hasCount(0);
        assertThat(list.locator(".part").first()).not().hasClass(Pattern.compile(".*late.*"));
        unseen.reload();
        assertThat(unseen.locator(".asof.stale")).containsText("unknown");
        assertThat(unseen.locator(".top .fresh")).containsText("some of this is missing");
        page.navigate(page.url() + "&before=x");
        assertThat(page.locator(".empty")).containsText("The database of the trace doesn’t answer");
        assertThat(page.locator(".empty")).containsText(Pattern.compile("Next try in [1-5] s|Trying"));
        page.goBack();
        page.waitForRequest(
                Pattern.compile(".*/firings$"),
                () -> page.getByRole(AriaRole.BUTTON, exactly(AGAIN)).click());
        database.away = false;

        assertThat(page.getByRole(AriaRole.BUTTON, exactly(AGAIN))).hasCount(0);
        assertThat(part).not().hasClass(Pattern.compile(".*late.*"));
        assertThat(page.locator(".top .fresh")).not().hasClass(Pattern.compile(".*stale.*"));
        assertThat(list.locator(".asof.stale")).hasCount(0);
        page.context().close();
        list.context().close();
        unseen.context().close();
    }

    /** The first answer breaks off in its middle, by itself or because a command makes the page ask anew. */
    @ParameterizedTest
    @ValueSource(strings = {"cut", "asked anew"})
    void anAnswerThatBreaksOffIsAskedForAgainAsIfItHadNotCome(String why) {
        Page page = browser.open("?view=jobs", 1280, "light", "en-US");

        Object shown = page.evaluate("""
                async (why) => {
                  const {retry, watch} = await import(new URL('api.js', document.querySelector('script[type=module]').src));
                  const answers = {headers: {'content-type': 'application/json', etag: '"one"'}};
                  let calls = 0;
                  const real = window.fetch;
                  const broken = (signal) => new ReadableStream({
                    start(body) {
                      body.enqueue(new TextEncoder().encode('{"is":'));
                      signal.addEventListener('abort', () => body.error(signal.reason));
                      setTimeout(() => why === 'cut' ? body.error(new TypeError('cut')) : retry());
                    },
                  });
                  window.fetch = async (path, {headers, signal}) => {
                    if (!path.endsWith('of-the-test')) return real(path, {headers, signal});
                    if (++calls === 1) return new Response(broken(signal), answers);
                    const known = headers['If-None-Match'] === '"one"';
                    return known ? new Response(null, {...answers, status: 304}) : new Response('{"is":"new"}', answers);
                  };
                  return new Promise((done) => {
                    const stop = watch('of-the-test', {pause: 1}, (answer) => {
                      if (answer.problem) return;
                      stop();
                      window.fetch = real;
                      done(answer.data?.is ?? 'as it was known');
                    });
                  });
                }""", why);

        assertThat(shown).isEqualTo("new");
        page.context().close();
    }

    @Test
    void aRegistryThatStopsIsSaidOnceAndEachPartSaysHowOldItIs() {
        Page page = browser.open("?job=slow", 1280, "light", "en-US");
        assertThat(page.locator(".part > .asof")).containsText("as of");

        wire.cut();

        assertThat(page.locator(".banner")).containsText("The registry doesn’t answer");
        assertThat(page.locator(".banner")).containsText(Pattern.compile("Next try in [1-5] s|Trying"));
        assertThat(page.locator(".part")).hasClass(Pattern.compile(".*late.*"));
        assertThat(page.locator(".part > .asof")).containsText("old");
        assertThat(page.locator(".top .fresh")).hasClass(Pattern.compile(".*stale.*"));
        assertThat(page.locator(".square").first()).isVisible();
        Browser.assertAccessible(page, "a registry that has stopped");
        page.waitForRequest(
                Pattern.compile(".*/jobs/slow$"),
                () -> page.getByRole(AriaRole.BUTTON, exactly(AGAIN)).click());
        wire.mend();

        assertThat(page.locator(".banner")).hasCount(0);
        assertThat(page.locator(".part")).not().hasClass(Pattern.compile(".*late.*"));
        assertThat(page.locator(".top .fresh")).not().hasClass(Pattern.compile(".*stale.*"));
        page.context().close();
    }

    /** By the browser's clock, which the test moves. */
    @Test
    void whatIsNotAnsweredAnyMoreLooksOldAfterFiveSecondsAndAFailureIsRepeatedWithinFive() {
        Page page = browser.open("?job=slow", 1280, "light", "en-US");
        page.clock().install();
        page.reload();
        assertThat(page.locator(".part > .asof")).containsText("as of");
        List<String> held = new ArrayList<>();
        page.route(
                Pattern.compile(".*/api/v1/registries/.*"),
                route -> held.add(route.request().url()));
        page.waitForRequest(Pattern.compile(".*/jobs/slow$"), () -> page.clock().runFor(1_000));
        assertThat(page.locator(".part")).not().hasClass(Pattern.compile(".*late.*"));

        page.clock().runFor(5_500);

        assertThat(page.locator(".part")).hasClass(Pattern.compile(".*late.*"));
        assertThat(page.locator(".part > .asof")).containsText("sec old");
        assertThat(page.locator(".top .fresh")).containsText("some of this is");
        assertThat(held).isNotEmpty();

        page.unroute(Pattern.compile(".*/api/v1/registries/.*"));
        page.route(Pattern.compile(".*/api/v1/registries/.*"), route -> route.abort());
        page.reload();
        assertThat(page.locator(".empty")).containsText("The application doesn’t answer");
        for (int failure = 0; failure < 6; failure++) {
            page.waitForRequest(
                    Pattern.compile(".*/jobs/slow$"), () -> page.clock().runFor(5_000));
            assertThat(page.locator(".empty")).containsText(Pattern.compile("Next try in [1-5] s"));
        }
        page.context().close();
    }

    /** By the browser's clock, from an answer to the next request: how long an answer takes is not the page's. */
    @ParameterizedTest
    @CsvSource({"?job=slow&tab=firings, /jobs/slow/firings", "?view=jobs, /latest[?]"})
    void whatTheTraceHasIsAskedForWithinFiveSecondsEachTime(String address, String part) {
        Page page = browser.open(address, 1280, "light", "en-US");
        page.clock().install();
        page.addInitScript("""
                const real = window.fetch;
                let answered;
                window.rests = [];
                window.fetch = async (path, options) => {
                  if (!/%s/.test(path)) return real(path, options);
                  if (answered !== undefined) window.rests.push(Date.now() - answered);
                  answered = undefined;
                  const answer = await real(path, options);
                  if (answer.status === 304) answered = Date.now();
                  return answer;
                };""".formatted(part.replace("/", "\\/")));
        page.route(Pattern.compile(".*" + part + ".*"), route -> {
            if (route.request().headers().containsKey("if-none-match")) {
                route.fulfill(new Route.FulfillOptions().setStatus(304));
            } else {
                route.resume();
            }
        });
        page.waitForResponse(Pattern.compile(".*" + part + ".*"), page::reload);
        Number now = (Number) page.evaluate("Date.now()");
        page.clock().pauseAt(now.longValue() + 1_000);

        page.waitForCondition(() -> {
            page.clock().runFor(50);
            return ((Number) page.evaluate("window.rests.length")).intValue() >= 4;
        });

        assertThat((List<Integer>) page.evaluate("window.rests")).allMatch(rest -> rest <= 5_000, "within 5 s");
        page.context().close();
    }

    private static Page.GetByRoleOptions exactly(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    /** Another instance of the jobs, whose registry is behind the wire, and which has a trace. */
    @Configuration(proxyBeanMethods = false)
    static class Watched extends Yard {
        @Bean
        Database database() {
            return new Database();
        }
    }

    /** One that stops and returns, and whose firings change. */
    static final class Database implements ConsoleHistory {
        private final ConsoleHistory past = new PastFirings();
        private volatile boolean away;
        private volatile int firings = MOST_FIRINGS;

        private ConsoleHistory past() {
            if (away) {
                throw new HistoryAwayException("no connection");
            }
            return past;
        }

        @Override
        public Firings firings(String job, Optional<String> before) {
            Firings all = past().firings(job, before);
            return new Firings(all.firings().subList(0, firings), all.next());
        }

        @Override
        public SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most) {
            return past().latest(jobs, most);
        }

        @Override
        public Executions executions(Executions.Filter filter) {
            return past().executions(filter);
        }

        @Override
        public List<Executions.Step> steps(String id) {
            return past().steps(id);
        }

        @Override
        public Operations operations(Operations.Filter filter) {
            return past().operations(filter);
        }

        @Override
        public Optional<Entry> entry(String id) {
            return past().entry(id);
        }
    }
}

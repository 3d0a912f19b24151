package dev.elasticjob.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;

/** "Who works on which share, and why does nobody?", of two instances on a real ZooKeeper. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupsBrowserTest {
    private static final double LIMIT_MILLIS = 60_000;
    private static final String LONG = "partitions-of-all-the-orders-of-the-european-shops.2026";

    private final CountDownLatch stopping = new CountDownLatch(1);
    private ConfigurableApplicationContext first;
    private ConfigurableApplicationContext second;
    private Browser browser;

    /** Works on nothing, and returns from stopping as told. */
    private record Worker(CountDownLatch stopped) implements ShardingNotice {
        @Override
        public void shardingCompleted(ShardAssignment assignment) {}

        @Override
        public void startSharding() {
            try {
                stopped.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @BeforeAll
    void start() throws Exception {
        setDefaultAssertionTimeout(LIMIT_MILLIS);
        first = Yard.run("10.0.0.1");
        second = Yard.join(first, "10.0.0.2");
        browser = Browser.at(Yard.address(first));
        join(first, LONG, new CountDownLatch(0));
        join(second, LONG, new CountDownLatch(0));
        join(first, "缓存", stopping);
        first.getBean(Registry.class)
                .commit(RegistryCommit.builder()
                        .create("//dynamic-sharding/retired", "")
                        .create("//dynamic-sharding/retired/sharding", "")
                        .build())
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    private static void join(ConfigurableApplicationContext instance, String group, CountDownLatch stopped)
            throws Exception {
        instance.getBean(ElasticJobEngine.class)
                .groups()
                .join(group, new Worker(stopped))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    @AfterAll
    void stop() {
        stopping.countDown();
        browser.close();
        second.close();
        first.close();
    }

    @AfterEach
    void nothingWentWrong() {
        browser.assertNothingWentWrong();
    }

    @Test
    void aGroupIsFollowedWhileItsIndexesChangeHands() throws Exception {
        Page page = browser.open("?view=groups", 1280, "light", "en-US");
        Locator rows = page.locator(".groups tbody tr");
        assertThat(row(rows, LONG).locator(".chip")).containsText("All indexes are worked on");
        assertThat(row(rows, "retired").locator(".chip")).containsText("No instance");
        Browser.assertAccessible(page, "groups");
        Looks.assertRight(page, "groups");
        for (int width : new int[] {1440, 1024, 390}) {
            Page other = browser.open("?view=groups", width, "dark", "zh-CN");
            assertThat(row(other.locator(".groups tbody tr"), LONG).locator(".chip"))
                    .containsText("所有序号都有实例在工作");
            Looks.assertRight(other, "groups at " + width);
            other.context().close();
        }
        row(rows, "缓存").getByRole(AriaRole.LINK).click();
        assertThat(page.locator("h1")).hasText("缓存");
        assertThat(page.locator("h1")).isFocused();
        assertThat(page.locator(".members tbody tr")).hasCount(1);
        assertThat(page.locator(".members tbody tr .chip")).containsText("Works");

        join(second, "缓存", new CountDownLatch(0));

        assertThat(page.locator(".head .chip")).containsText("Changes: 1 instance still works");
        Locator members = page.locator(".members tbody tr");
        assertThat(row(members, "10.0.0.1@-@").locator(".chip")).containsText("Has not stopped yet");
        assertThat(row(members, "10.0.0.2@-@").locator(".chip")).containsText("Waits for an index");
        Browser.assertAccessible(page, "a group");
        Looks.assertRight(page, "a group");

        stopping.countDown();

        assertThat(members.locator(".chip")).containsText(new String[] {"Works", "Works"});
        assertThat(page.locator(".head .chip")).containsText("All indexes are worked on");
        page.context().close();
    }

    @Test
    void attentionLeadsToAGroupThatNobodyTakesPartIn() {
        Page page = browser.open("?view=attention", 1280, "light", "en-US");
        Locator found = page.locator(".findings tbody tr").filter(new Locator.FilterOptions().setHasText("retired"));
        assertThat(found).containsText("No instance takes part in the group");
        assertThat(found).containsText("delete the node /dynamic-sharding/retired");
        Looks.assertRight(page, "attention with a group");

        found.getByRole(AriaRole.LINK).click();

        assertThat(page.locator("h1")).hasText("retired");
        assertThat(page.locator(".finding")).containsText("Start an application that declares the group.");
        assertThat(page.locator("main")).containsText("Nobody has an index");
        Browser.assertAccessible(page, "a group without instances");
        Looks.assertRight(page, "a group without instances");
        page.context().close();
    }

    private static Locator row(Locator rows, String text) {
        return rows.filter(new Locator.FilterOptions().setHasText(text));
    }
}

package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.RunRequest;
import java.util.function.Consumer;

/**
 * A value that a command may have in its body. What a command doesn't take is refused, so that a name that is mistyped
 * never widens it.
 *
 * @param check fails with an {@link IllegalArgumentException} if the value can't be used
 */
record OrderValue(String name, Consumer<Order> check) {
    static final OrderValue REASON = new OrderValue("reason", Order::actor);

    /** The id of a new run, which must be there. */
    static final OrderValue NEW_RUN =
            new OrderValue("runId", order -> new RunRequest(order.body().required("runId"), ""));

    /** A run that is there already. */
    static final OrderValue RUN = new OrderValue("runId", order -> order.body().name("runId"));

    static final OrderValue AGAIN = new OrderValue("again", Order::again);
    static final OrderValue PARAMETER = new OrderValue("parameter", Order::parameter);
    static final OrderValue ITEM = new OrderValue("item", Order::oneItem);

    /** The same where it or {@link #ITEMS} must be there. */
    static final OrderValue REQUIRED_ITEM = new OrderValue("item", Order::requiredItem);

    static final OrderValue ITEMS = new OrderValue("items", Order::severalItems);
    static final OrderValue FROM = new OrderValue("from", order -> order.body().times("from"));
    static final OrderValue UNTIL =
            new OrderValue("until", order -> order.body().times("until"));
    static final OrderValue AT_ONCE = new OrderValue("atOnce", Order::atOnce);
    static final OrderValue SETTINGS = new OrderValue("settings", Order::settings);
}

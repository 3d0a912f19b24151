package dev.elasticjob.kubernetes.plan;

/**
 * Why something doesn't go on.
 *
 * @param code one word for programs, such as {@code ImagePullBackOff}
 * @param text for people
 */
public record Reason(String code, String text) {}

package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.definition.JobDefinition;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What an assignment is planned from. When it is no longer what the leader reads, the assignment is out of date.
 */
record PlanBasis(Members members, JobDefinition definition) {
    private static final int SHOWN_BYTES = 8;

    /** Stored with the assignment: differs when the basis differs. */
    String digest() {
        if (!members.foreign().isEmpty()) {
            return Assignment.heldBy(members.foreign());
        }
        StringBuilder text = new StringBuilder();
        members.eligibleMembers()
                .forEach(member -> text.append(member.id())
                        .append('#')
                        .append(member.czxid())
                        .append('\n'));
        text.append(definition.shardingTotalCount())
                .append('\n')
                .append(definition.jobShardingStrategyClass())
                .append('\n')
                .append(definition.cron())
                .append('\n')
                .append(definition.timeZone().getId())
                .append('\n')
                .append(definition.monitorExecution());
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, SHOWN_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}

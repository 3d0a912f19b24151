package dev.elasticjob.coordination.group;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.coordination.group.GroupAssignment.Phase;
import dev.elasticjob.coordination.state.StateJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the nodes of a group hold. */
final class GroupCodec {
    /** Texts that YAML reads as texts, without quotes: ids with an address, and IPv4 addresses. */
    private static final Pattern PLAIN =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*@-@[A-Za-z0-9._-]+|\\d+(\\.\\d+){3}");

    private GroupCodec() {}

    /** An instance's node, as YAML. */
    static String instance(String id, String ip) {
        return "instanceId: %s\nserverIp: %s\n".formatted(yaml(id), yaml(ip));
    }

    /** Every text of JSON is one of YAML. */
    private static String yaml(String text) {
        return PLAIN.matcher(text).matches() ? text : StateJson.text(text);
    }

    static byte[] write(GroupAssignment assignment) {
        return StateJson.text(new StoredGroup(
                        assignment.isStopping() ? true : null,
                        assignment.members().stream().map(StoredMember::of).toList(),
                        assignment.leftOut().stream().map(StoredMember::of).toList()))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The assignment; empty where the node can't be read. An empty node holds {@link GroupAssignment#NONE}. */
    static Optional<GroupAssignment> read(byte[] data) {
        return data.length == 0
                ? Optional.of(GroupAssignment.NONE)
                : StateJson.read(data, StoredGroup.class).flatMap(StoredGroup::assignment);
    }

    @JsonInclude(Include.NON_EMPTY)
    private record StoredGroup(
            @Nullable Boolean stopping,
            @JsonInclude(Include.ALWAYS) @Nullable List<@Nullable StoredMember> members,
            @Nullable List<@Nullable StoredMember> leftOut) {
        Optional<GroupAssignment> assignment() {
            Optional<List<Member>> assigned = StoredMember.all(members);
            return assigned.map(all -> new GroupAssignment(
                    Boolean.TRUE.equals(stopping) ? Phase.STOPPING : Phase.ASSIGNED,
                    all,
                    StoredMember.all(leftOut).orElse(List.of())));
        }
    }

    private record StoredMember(@Nullable String id, long czxid) {
        static StoredMember of(Member member) {
            return new StoredMember(member.id(), member.czxid());
        }

        /** Empty if one of them is incomplete. */
        static Optional<List<Member>> all(@Nullable List<@Nullable StoredMember> stored) {
            if (stored == null || stored.stream().anyMatch(one -> one == null || one.id == null)) {
                return Optional.empty();
            }
            return Optional.of(stored.stream()
                    .flatMap(one -> Optional.ofNullable(one).stream())
                    .map(one -> new Member(String.valueOf(one.id), one.czxid))
                    .toList());
        }
    }
}

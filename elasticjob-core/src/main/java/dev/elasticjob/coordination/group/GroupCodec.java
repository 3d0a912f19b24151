package dev.elasticjob.coordination.group;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.coordination.group.GroupAssignment.Phase;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.coordination.state.WrongValue;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    /**
     * The assignment. An empty node holds {@link GroupAssignment#NONE}.
     *
     * @throws CorruptNodeException if it can't be read
     */
    static GroupAssignment read(String path, byte[] data) {
        return data.length == 0
                ? GroupAssignment.NONE
                : StateJson.read(
                        path,
                        data,
                        StoredGroup.class,
                        "an assignment such as {\"members\":[{\"id\":\"10.0.0.1@-@42\",\"czxid\":7}]}",
                        StoredGroup::assignment);
    }

    /** Why it can't be read; empty if it can. */
    static Optional<String> problem(String path, byte[] data) {
        try {
            read(path, data);
            return Optional.empty();
        } catch (CorruptNodeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** The assignment; empty where it can't be read. */
    static Optional<GroupAssignment> read(byte[] data) {
        try {
            return Optional.of(read("", data));
        } catch (CorruptNodeException reportedByTheLeader) {
            return Optional.empty();
        }
    }

    @JsonInclude(Include.NON_EMPTY)
    private record StoredGroup(
            @Nullable Boolean stopping,
            @JsonInclude(Include.ALWAYS) @Nullable List<StoredMember> members,
            @Nullable List<StoredMember> leftOut) {
        /** No instance has two indexes, or is left out and has one. */
        GroupAssignment assignment() {
            Set<String> known = new HashSet<>();
            return new GroupAssignment(
                    Boolean.TRUE.equals(stopping) ? Phase.STOPPING : Phase.ASSIGNED,
                    all("members", WrongValue.required("members", members, List.class), known),
                    all("leftOut", leftOut == null ? List.of() : leftOut, known));
        }

        private static List<Member> all(String key, List<StoredMember> stored, Set<String> known) {
            return stored.stream()
                    .map(one -> {
                        String id = WrongValue.required(key + ".id", one.id(), String.class);
                        if (!known.add(id)) {
                            throw new WrongValue(key, "different instances", id);
                        }
                        return new Member(id, one.czxid());
                    })
                    .toList();
        }
    }

    private record StoredMember(@Nullable String id, long czxid) {
        static StoredMember of(Member member) {
            return new StoredMember(member.id(), member.czxid());
        }
    }
}

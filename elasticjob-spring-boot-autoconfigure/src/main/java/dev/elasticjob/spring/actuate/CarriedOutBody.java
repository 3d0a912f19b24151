package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.elasticjob.admin.command.BackfillAnswer;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.DisableAnswer;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.TriggerAnswer;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.table.ChangePreview;
import dev.elasticjob.admin.table.DryRun;
import dev.elasticjob.admin.table.Effect;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What a command has done, or would do: for whom, which one, in whose name, and then the parts of its answer. A part that an
 * answer doesn't have is left out.
 *
 * @param parts in their order. {@code runs} are the items of each run, if a cancellation is one of several runs; {@code
 *     results} what came of each item; {@code ended} is false of a removal that waits for executions, and continues by itself
 */
public record CarriedOutBody(@JsonValue Map<String, Object> parts) implements OperationResponseBody {
    /** @param text for people */
    public record EffectBody(Effect.Code code, int count, String text) {}

    /** A setting that would change. */
    public record ChangeBody(
            String setting,
            @Nullable Object before,
            @Nullable Object after) {}

    /** @param of the parts that each answer begins with */
    static CarriedOutBody answer(Map<String, Object> of, @Nullable Object answer) {
        Parts parts = new Parts(new LinkedHashMap<>(of));
        if (answer instanceof TriggerAnswer run) {
            parts.with("runId", run.runId()).with("items", run.items()).with("disabled", run.disabled());
        } else if (answer instanceof CancelAnswer cancelled) {
            boolean one = cancelled.runs().size() == 1;
            parts.with(one ? "runId" : "runs", one ? cancelled.runId() : cancelled.ranges())
                    .with("results", cancelled.items());
        } else if (answer instanceof DisableAnswer disabled) {
            parts.with("results", disabled.items());
        } else if (answer instanceof BackfillAnswer begun) {
            parts.with("times", begun.times());
        } else if (answer instanceof VersionedDefinition after) {
            parts.with("version", after.version());
        } else if (answer instanceof PauseAnswer pause) {
            parts.with("changed", pause.changed())
                    .with("inForce", pause.inForce())
                    .with("notYet", pause.notYet());
            pause.paused().ifPresent(paused -> parts.with("paused", paused));
        } else if (answer instanceof DrainAnswer drain) {
            parts.with("changed", drain.changed()).with("inForce", drain.inForce());
        } else if (answer instanceof Map<?, ?> jobs) {
            parts.with("jobs", jobs);
        } else if (answer instanceof Boolean changed) {
            parts.with("changed", changed);
        } else if (answer instanceof DryRun dryRun) {
            parts.would(dryRun);
        } else if (answer != null) {
            throw new IllegalStateException("Expected an answer of a command, but it was " + answer);
        }
        return new CarriedOutBody(parts.all());
    }

    /** Of a command that waits for executions, which nobody waits for. */
    CarriedOutBody hasEnded(boolean ended) {
        return new CarriedOutBody(
                new Parts(new LinkedHashMap<>(parts)).with("ended", ended).all());
    }

    private record Parts(Map<String, Object> all) {
        Parts with(String name, Object value) {
            all.put(name, value);
            return this;
        }

        void would(DryRun dryRun) {
            with("dryRun", true).with("outcome", dryRun.outcome());
            with(
                    "effects",
                    dryRun.effects().stream()
                            .map(effect -> new EffectBody(effect.code(), effect.count(), effect.text()))
                            .toList());
            if (dryRun instanceof ChangePreview change) {
                with(
                        "changes",
                        change.changes().stream()
                                .map(one -> new ChangeBody(
                                        one.setting(),
                                        one.before().orElse(null),
                                        one.after().orElse(null)))
                                .toList());
                with("firingsBefore", change.firingsBefore()).with("firingsAfter", change.firingsAfter());
                with("leftOut", change.leftOut());
            }
        }
    }
}

package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.migration.conversion.ConvertedJob.Kind;
import dev.elasticjob.migration.conversion.JobRules.Rule;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What becomes of the free properties of a job: {@code props} of 3.x, and {@code jobProperties} of 2.x. */
final class PropertyRules {
    private static final Map<String, Rule> OF_ALL = Map.ofEntries(
            entry("streaming.process", JobRules.flag("streaming-process")),
            entry("script.command.line", JobRules.text("script-command-line")));

    private static final Map<String, Rule> OF_HTTP = Map.ofEntries(
            entry("http.uri", JobRules.text("http.uri")),
            entry("http.method", PropertyRules::method),
            entry("http.data", JobRules.text("http.body")),
            entry("http.content.type", JobRules.text("http.content-type")),
            entry("http.connect.timeout.milliseconds", millis("http.connect-timeout")),
            entry("http.read.timeout.milliseconds", millis("http.response-timeout")));

    /** Of error handlers that send messages. */
    private static final Set<String> OF_HANDLERS = Set.of("email", "wechat", "dingtalk");

    private static final Set<String> HANDLERS_OF_2 = Set.of("jobexceptionhandler", "executorservicehandler");

    private PropertyRules() {}

    static void apply(String key, SourceSetting setting, JobDraft draft) {
        if (HANDLERS_OF_2.contains(JobRules.uniform(key))) {
            JobRules.apply(new SourceSetting(key, setting.value(), setting.place()), draft);
        } else if (OF_ALL.containsKey(key)) {
            OF_ALL.get(key).apply(setting, draft);
        } else if (draft.kind() == Kind.HTTP && OF_HTTP.containsKey(key)) {
            OF_HTTP.get(key).apply(setting, draft);
        } else if (OF_HANDLERS.contains(key.split("\\.", 2)[0].toLowerCase(Locale.ROOT))) {
            draft.lost(setting, "no error handler here sends messages; write a JobErrorHandler bean that does");
        } else if (draft.dialect().hasPlaceholders() && key.matches("(?s).*[$#]\\{.*")) {
            draft.lost(setting, "keys of properties are not resolved: write the key that the placeholder stands for");
        } else if (key.contains("]")) {
            draft.lost(setting, "a key of properties can't contain ]: rename it, here and in the code that reads it");
        } else {
            draft.put(setting, "job-properties.[" + key + "]", SettingValues.text(setting, draft.dialect()));
        }
    }

    private static void method(SourceSetting setting, JobDraft draft) {
        String method = SettingValues.text(setting, draft.dialect()).strip();
        draft.put(
                setting, "http.method", SettingValues.isPlaceholder(method) ? method : method.toUpperCase(Locale.ROOT));
    }

    private static Rule millis(String property) {
        return (setting, draft) -> draft.put(setting, property, SettingValues.millis(setting, draft.dialect()));
    }
}

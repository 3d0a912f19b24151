package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.text.HttpOrigin;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Jobs that send a request. The reader of 2.1.5 doesn't know them. */
record HttpRules() implements KindRules {
    @Override
    public JobType type() {
        return JobType.HTTP;
    }

    @Override
    public boolean isWithoutCode() {
        return true;
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(JobSettings.HTTP);
    }

    @Override
    public List<Violation> check(JobDefinition job) {
        return job.http().isPresent()
                ? List.of()
                : List.of(new Violation("http.uri", "", "an HTTP job needs a URI to call"));
    }

    @Override
    public List<Violation> checkOther(JobDefinition job) {
        String expected = "only for an HTTP job; set jobType to HTTP, or remove this setting";
        return job.http().stream()
                .map(request -> new Violation("http.uri", request.uri(), expected))
                .toList();
    }

    @Override
    public Set<String> secrets() {
        return Set.of("http.headers", "http.body");
    }

    @Override
    public Work work(JobDefinition job) {
        return Work.of("URI", request(job).uri());
    }

    @Override
    public String workSetting() {
        return "http.uri";
    }

    /** The whole request, of which the URI is only the part that decides. */
    @Override
    public JobDefinition withWorkOf(JobDefinition declared, JobDefinition stored) {
        return stored.toBuilder().http(request(declared)).build();
    }

    @Override
    public Optional<String> objection(JobDefinition kept, TrustedWork trust) {
        Optional<Set<HttpOrigin>> hosts = trust.hosts();
        if (hosts.isEmpty()) {
            return Optional.of("this instance sends no HTTP requests from the registry; to allow them, set"
                    + " \"elasticjob.registry-jobs.http\" to true and \"elasticjob.registry-jobs.allowed-hosts\"");
        }
        HttpOrigin origin = request(kept).origin();
        return hosts.get().contains(origin)
                ? Optional.empty()
                : Optional.of("\"elasticjob.registry-jobs.allowed-hosts\" of this instance doesn't contain %s"
                        .formatted(origin));
    }

    private static HttpRequestSettings request(JobDefinition job) {
        return job.http().orElseThrow();
    }
}

package dev.elasticjob.definition.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.ShardingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobKindsTest {
    private static final JobKind MAIL = kind("MAIL", "mail.to", "mail.text");

    @Test
    void everythingThatIsWrongWithAJobIsSaidAtOnce() {
        JobDefinition job = job("MAIL", Map.of("mail.txet", "x", "mail.to", " ", "other", "y"));

        assertThat(JobKinds.of(List.of(MAIL)).violations(job))
                .extracting(Violation::toString)
                .containsExactly(
                        "jobProperties is \"mail.txet\": MAIL jobs have no such property (did you mean \"mail.text\"?);"
                                + " expected one of mail.to, mail.text, mail.open",
                        "jobProperties is \"\": a MAIL job needs the property \"mail.to\"",
                        "jobProperties is \"\": a MAIL job needs the property \"mail.text\"",
                        "jobProperties is \"mail\": the kind's own word");
    }

    @Test
    void aKindThatIsNotThereIsSaidWithThoseThatAre() {
        assertThat(JobKinds.of(List.of(MAIL)).violations(job("MAILL", Map.of())))
                .singleElement()
                .hasToString("jobType is \"MAILL\": this instance has no kind of jobs of this name"
                        + " (did you mean \"MAIL\"?); expected one of SIMPLE, DATAFLOW, SCRIPT, HTTP, MAIL, or a"
                        + " JobKind bean of the name");
    }

    @Test
    void theBuiltInKindsAreThereAndHaveNoPrefix() {
        assertThat(JobKinds.BUILT_IN.violations(JobDefinition.builder("job")
                        .jobProperties(Map.of("simple.x", "1"))
                        .build()))
                .isEmpty();
    }

    @Test
    void twoKindsOfOneNameAreRefusedWithTheirClasses() {
        assertThat(JobKinds.problems(List.of(MAIL, kind("MAIL"))))
                .singleElement()
                .asString()
                .contains("Two kinds of jobs have the name \"MAIL\"", Named.class.getName());
        assertThatIllegalArgumentException().isThrownBy(() -> JobKinds.of(List.of(MAIL, MAIL)));
    }

    @Test
    void aKindCannotReplaceABuiltInOneAndItsPropertiesHaveItsName() {
        assertThat(JobKinds.problems(List.of(kind("HTTP"), kind("lower"), kind("FAX_IT", "fax.number"))))
                .satisfiesExactly(
                        one -> assertThat(one).contains("\"HTTP\"", "every instance has a kind of this name"),
                        two -> assertThat(two).contains("\"lower\"", "upper-case letters"),
                        three -> assertThat(three).contains("\"fax.number\"", "begin with \"fax-it.\""));
    }

    @Test
    void aSecretHasANameThatSaysSoEverywhere() {
        assertThat(KindProperty.of("mail.password").secret().name()).isEqualTo("mail.password");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KindProperty.of("mail.key").secret())
                .withMessageContaining("\"mail.key\" is a secret, but its name doesn't say so");
    }

    @Test
    void aCheckThatFailsConcernsItsJobOnly() {
        assertThat(JobKinds.of(List.of(kind("BROKEN"))).violations(job("BROKEN", Map.of())))
                .singleElement()
                .hasToString("jobType is \"BROKEN\": the check of this kind has failed, so the job is not run:"
                        + " java.lang.IllegalStateException: a bug");
    }

    @Test
    void whatAKindSaysOfASecretIsMasked() {
        assertThat(JobKinds.of(List.of(kind("TALKS")))
                        .violations(job("TALKS", Map.of("talks.password", "hush", "talks.name", "loud"))))
                .extracting(Violation::toString)
                .contains("jobProperties is \"talks.password=******\": expected another one than ******")
                .contains("jobProperties is \"talks.name=loud\": expected another one than loud");
    }

    @Test
    void whatAKindOpensDecidesNothing() {
        JobDefinition here = job("MAIL", Map.of("mail.to", "a", "mail.open", "1", "other", "1"));
        JobDefinition there = job("MAIL", Map.of("mail.to", "b", "mail.open", "2", "other", "2"));
        var rules = JobKinds.of(List.of(MAIL)).rules(new JobType("MAIL"));

        assertThat(rules.work(here).value()).isNotEqualTo(rules.work(there).value());
        assertThat(rules.withWorkOf(here, there).jobProperties())
                .isEqualTo(Map.of("mail.to", "a", "mail.open", "2", "other", "2"));
    }

    private static JobDefinition job(String type, Map<String, String> properties) {
        return JobDefinition.builder("job")
                .jobType(new JobType(type))
                .jobProperties(properties)
                .build();
    }

    private static JobKind kind(String name, String... properties) {
        return new Named(name, List.of(properties));
    }

    private record Named(String name, List<String> required) implements JobKind {
        @Override
        public List<KindProperty> properties() {
            return required.isEmpty() ? List.of() : all();
        }

        private List<KindProperty> all() {
            List<KindProperty> all = new ArrayList<>(required.stream()
                    .map(property -> KindProperty.of(property).required())
                    .toList());
            if (name.equals("MAIL")) {
                all.add(KindProperty.of("mail.open").changeable());
            }
            return all;
        }

        @Override
        public List<Violation> check(JobDefinition definition) {
            if (name.equals("BROKEN")) {
                throw new IllegalStateException("a bug");
            }
            if (name.equals("TALKS")) {
                return definition.jobProperties().entrySet().stream()
                        .map(one -> new Violation(
                                "jobProperties", one.toString(), "expected another one than " + one.getValue()))
                        .toList();
            }
            return List.of(new Violation("jobProperties", "mail", "the kind's own word"));
        }

        @Override
        public void execute(JobDefinition definition, ShardingContext context) {}
    }
}

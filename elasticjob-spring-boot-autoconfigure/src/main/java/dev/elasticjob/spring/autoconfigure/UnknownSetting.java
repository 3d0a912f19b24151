package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.definition.text.PropertyText;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * A property that no setting has, and what was probably meant: a job's name that needs brackets, a list instead of a map, a
 * misspelt name, or a name that belongs below another one.
 */
record UnknownSetting(ConfigurationPropertyName name) {
    private static final int FIRST_OF_JOB = JobProperties.JOBS.getNumberOfElements();
    private static final List<String> OF_A_JOB = Stream.of(ElasticJobProperties.Job.class.getRecordComponents())
            .map(component -> PropertyText.name(component.getName()))
            .toList();
    private static final List<String> OF_APPLICATION = names(ElasticJobProperties.class, "elasticjob.");

    /** The line of the report. */
    static String line(ConfigurationProperty property) {
        var unknown = new UnknownSetting(property.getName());
        if (JobProperties.isListed(property.getName())) {
            return listed(property.getName().chop(FIRST_OF_JOB + 1));
        }
        String origin = property.getOrigin() == null ? "" : " (%s)".formatted(property.getOrigin());
        if (unknown.isKnown()) {
            return "Property \"%s\"%s has an empty value. Give it one, or remove the property."
                    .formatted(property.getName(), origin);
        }
        return "Property \"%s\"%s is unknown. %s".formatted(property.getName(), origin, unknown.advice());
    }

    /** The line for an element of a list of jobs. */
    static String listed(ConfigurationPropertyName element) {
        return ("Property \"%s\" is an element of a list, but \"%s\" is a map from names to settings. Write each job's name as a"
                        + " key, without a dash in front: \"%2$s.orders.cron\".")
                .formatted(element, JobProperties.JOBS);
    }

    /** Spring Boot takes a property whose value is empty for one that nobody has asked for. */
    private boolean isKnown() {
        return meant().filter(other -> letters(other).equals(letters(name.toString())))
                .isPresent();
    }

    private String advice() {
        if (OF_APPLICATION.contains(name.toString())) {
            return "It takes no value, but settings below this name.";
        }
        return inBrackets()
                .map("If the dots belong to the job's name, write the name in brackets: \"%s\"."::formatted)
                .or(() -> meant().map("Did you mean \"%s\"?"::formatted))
                .orElse("Correct or remove it.");
    }

    /** The property with brackets around the job's name, if the name has more than one element. */
    private Optional<String> inBrackets() {
        int elements = name.getNumberOfElements();
        boolean ofAJob = elements > FIRST_OF_JOB + 2
                && JobProperties.JOBS.isAncestorOf(name)
                && !isSettingOfAJob(FIRST_OF_JOB + 1);
        return IntStream.range(FIRST_OF_JOB + 2, ofAJob ? elements : 0)
                .filter(this::isSettingOfAJob)
                .mapToObj(index -> {
                    ConfigurationPropertyName job = name.chop(index).subName(FIRST_OF_JOB);
                    return "%s[%s].%s".formatted(JobProperties.JOBS, job, name.subName(index));
                })
                .findFirst();
    }

    private boolean isSettingOfAJob(int index) {
        String written = name.getElement(index, Form.UNIFORM);
        return OF_A_JOB.stream().anyMatch(setting -> letters(setting).equals(written));
    }

    private Optional<String> meant() {
        boolean ofAJob = JobProperties.JOBS.isAncestorOf(name) && name.getNumberOfElements() > FIRST_OF_JOB + 1;
        return ofAJob
                ? meant(name.subName(FIRST_OF_JOB + 1).toString(), names(ElasticJobProperties.Job.class, ""))
                        .map((name.chop(FIRST_OF_JOB + 1) + ".")::concat)
                : meant(name.toString(), OF_APPLICATION);
    }

    /** A setting of a similar name at the same place, of the same name at another place, or at a place of a similar name. */
    private static Optional<String> meant(String written, List<String> known) {
        String place = place(written);
        String setting = written.substring(place.length());
        List<String> siblings = known.stream()
                .filter(name -> place(name).equals(place))
                .map(name -> name.substring(place.length()))
                .toList();
        Predicate<String> sameName =
                name -> letters(name.substring(place(name).length())).equals(letters(setting));
        return NearestName.to(setting, siblings)
                .map(place::concat)
                .or(() -> NearestName.to(
                                place, known.stream().map(UnknownSetting::place).toList())
                        .map(other -> other + setting)
                        .filter(known::contains))
                .or(() -> known.stream().filter(sameName).findFirst());
    }

    private static String place(String name) {
        return name.substring(0, name.lastIndexOf('.') + 1);
    }

    private static String letters(String name) {
        return name.replace("-", "").toLowerCase(Locale.ROOT);
    }

    /** All names below a prefix, including those of nested settings. */
    private static List<String> names(Class<?> settings, String prefix) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : settings.getRecordComponents()) {
            String name = prefix + PropertyText.name(component.getName());
            if (component.getType().isRecord()) {
                names.addAll(names(component.getType(), name + "."));
            } else {
                names.add(name);
            }
        }
        return names;
    }
}

package dev.elasticjob.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * What an earlier version has stored in nodes of one kind: values of each form that its tests and a few hundred seeds of its
 * simulation wrote. A version that reads one of them differently, or writes it differently, can't run beside the earlier
 * one. The values stay as they are; a later version's are added.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(EarlierValues.Provider.class)
public @interface EarlierValues {
    /** The kind of the nodes. */
    String value();

    /** Gives the values of the kind, each as one text. */
    final class Provider implements ArgumentsProvider, AnnotationConsumer<EarlierValues> {
        private static final String FILE = "/dev/elasticjob/coordination/earlier-values.txt";
        private String kind = "";

        @Override
        public void accept(EarlierValues values) {
            kind = values.value();
        }

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            return lines().stream()
                    .map(line -> line.split("\t", 2))
                    .filter(line -> line[0].equals(kind))
                    .map(line -> Arguments.of(line[1]));
        }

        private static List<String> lines() {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                    Objects.requireNonNull(EarlierValues.class.getResourceAsStream(FILE)), StandardCharsets.UTF_8))) {
                return reader.lines().toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

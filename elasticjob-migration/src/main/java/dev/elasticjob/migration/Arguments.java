package dev.elasticjob.migration;

import dev.elasticjob.migration.output.SettingsPlacement;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The command line. */
record Arguments(
        MigrationOptions options,
        Optional<Tree> tree,
        List<Path> files,
        Optional<Path> output,
        boolean force,
        boolean help) {
    static final String USAGE = """
            Converts jobs of Elastic-Job 2.x and ElasticJob 3.x, Quartz, Spring's @Scheduled, and XXL-JOB to application.yml
            and @ElasticJob; and apps of Elastic-Job-Cloud, with their jobs, to ElasticApp, too.

            usage: java -jar elasticjob-migration.jar [options] FILE...
                   java -jar elasticjob-migration.jar [options] --zookeeper HOST:PORT --namespace NAME

            FILE is Spring XML, Spring Boot properties (.properties, .yml), the text of a job's "config" node; app and job
            registrations of Elastic-Job-Cloud as JSON, one or a list; a Java source with @Scheduled, or a folder of them; Quartz's XML of jobs (job-scheduling-data); or XXL-JOB's table, as
            mysql --batch -e "select * from xxl_job_info" prints it.

              --zookeeper HOST:PORT[,…][/CHROOT]  read all jobs from ZooKeeper; nothing is written to it
              --namespace NAME                    the namespace of these jobs
              --digest USER:PASSWORD              for nodes with a digest; or set ELASTICJOB_REGISTRY_DIGEST
              --dry-run                           print what would be written; the default
              --output FOLDER                     write the files
              --force                             overwrite files that exist
              --annotations                       write settings to @ElasticJob instead of application.yml
              --target-namespace NAME             use this namespace from now on
              --registry ID                       which registry of the XML to convert, if it has several
              --help                              print this

            exit code: 0 everything was converted, 1 something has to be added or changed by hand (see report.txt),
                       2 wrong arguments or an unreadable source
            """;

    /** Where to read a live tree. */
    record Tree(String connectString, String namespace, Optional<String> digest) {}

    Arguments {
        files = List.copyOf(files);
    }

    /** @throws IllegalArgumentException if they make no sense; the message says what was expected */
    static Arguments parse(List<String> args, Optional<String> digestOfEnvironment) {
        Deque<String> rest = new ArrayDeque<>(args);
        List<Path> files = new ArrayList<>();
        MigrationOptions options = MigrationOptions.DEFAULT;
        Optional<String> zookeeper = Optional.empty();
        Optional<String> namespace = Optional.empty();
        Optional<String> digest = digestOfEnvironment;
        Optional<Path> output = Optional.empty();
        boolean dryRun = false;
        boolean force = false;
        boolean help = false;
        while (!rest.isEmpty()) {
            String arg = rest.pop();
            switch (arg) {
                case "--zookeeper" -> zookeeper = Optional.of(value(arg, rest));
                case "--namespace" -> namespace = Optional.of(value(arg, rest));
                case "--digest" -> digest = Optional.of(value(arg, rest));
                case "--output" -> output = Optional.of(Path.of(value(arg, rest)));
                case "--target-namespace" -> options = options.withTargetNamespace(value(arg, rest));
                case "--registry" -> options = options.withRegistryId(value(arg, rest));
                case "--annotations" -> options = options.withPlacement(SettingsPlacement.ANNOTATIONS);
                case "--dry-run" -> dryRun = true;
                case "--force" -> force = true;
                case "--help", "-h" -> help = true;
                default -> files.add(file(arg));
            }
        }
        if (dryRun && output.isPresent()) {
            throw new IllegalArgumentException("Expected either --dry-run or --output, but both are there");
        }
        Optional<Tree> tree = tree(zookeeper, namespace, digest);
        if (!help && tree.isPresent() == !files.isEmpty()) {
            throw new IllegalArgumentException("Expected files, or --zookeeper with --namespace, but "
                    + (files.isEmpty() ? "neither is" : "both are") + " there");
        }
        return new Arguments(options, tree, files, output, force, help);
    }

    private static Optional<Tree> tree(
            Optional<String> zookeeper, Optional<String> namespace, Optional<String> digest) {
        if (zookeeper.isPresent() != namespace.isPresent()) {
            throw new IllegalArgumentException(
                    "Expected --zookeeper together with --namespace, but one of them is missing");
        }
        return zookeeper.map(
                servers -> new Tree(servers, namespace.orElseThrow().replaceAll("^/+|/+$", ""), digest));
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty() || rest.element().startsWith("--")) {
            throw new IllegalArgumentException("Expected a value after \"%s\", but there is none".formatted(option));
        }
        return rest.pop();
    }

    private static Path file(String arg) {
        if (arg.startsWith("-")) {
            throw new IllegalArgumentException("Expected a file or an option, but was \"%s\"".formatted(arg));
        }
        return Path.of(arg);
    }
}

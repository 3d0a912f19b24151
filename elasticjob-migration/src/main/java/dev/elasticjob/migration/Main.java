package dev.elasticjob.migration;

import dev.elasticjob.migration.source.UnreadableSourceException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The command line of the converter. By default it only prints. */
public final class Main {
    private static final int INCOMPLETE = 1;
    private static final int WRONG = 2;

    private final PrintStream out;
    private final PrintStream errors;

    Main(PrintStream out, PrintStream errors) {
        this.out = out;
        this.errors = errors;
    }

    public static void main(String[] args) {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        var errors = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(new Main(out, errors)
                .run(List.of(args), Optional.ofNullable(System.getenv("ELASTICJOB_REGISTRY_DIGEST"))));
    }

    /** @return the exit code */
    int run(List<String> args, Optional<String> digest) {
        try {
            return run(Arguments.parse(args, digest));
        } catch (UnreadableSourceException e) {
            return fail(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            return fail(e.getMessage() + ". See --help");
        } catch (FileAlreadyExistsException e) {
            return fail("\"%s\" exists, so nothing was written. Use another folder, or --force to overwrite it"
                    .formatted(e.getMessage()));
        } catch (IOException e) {
            return fail("The files could not be written: " + e);
        }
    }

    private int run(Arguments arguments) throws IOException {
        if (arguments.help()) {
            out.print(Arguments.USAGE);
            return 0;
        }
        var migration = new Migration(arguments.options());
        MigrationResult result = arguments
                .tree()
                .map(tree -> migration.convertTree(tree.connectString(), tree.namespace(), tree.digest()))
                .orElseGet(() -> migration.convert(arguments.files()));
        if (arguments.output().isPresent()) {
            write(result, arguments.output().get(), arguments.force());
        } else {
            result.files().forEach(file -> out.printf("===== %s =====%n%s%n", file.name(), file.text()));
            out.println("Nothing was written. To write these files, add --output FOLDER");
        }
        return result.isComplete() ? 0 : INCOMPLETE;
    }

    private void write(MigrationResult result, Path folder, boolean force) throws IOException {
        if (force) {
            result.replaceIn(folder);
        } else {
            result.writeTo(folder);
        }
        result.files().forEach(file -> out.println("Written: " + folder.resolve(file.name())));
        out.println();
        out.print(result.files().get(result.files().size() - 1).text());
    }

    private int fail(String message) {
        errors.println(message);
        return WRONG;
    }
}

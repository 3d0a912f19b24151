package dev.elasticjob.migration.source;

/**
 * Where something was found.
 *
 * @param file the path of the file, or of the node in ZooKeeper
 * @param line from 1; 0 if lines mean nothing there
 */
public record SourceLocation(String file, int line) {
    public static SourceLocation of(String file) {
        return new SourceLocation(file, 0);
    }

    @Override
    public String toString() {
        return line > 0 ? file + ", line " + line : file;
    }
}

package dev.elasticjob.definition.schedule;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws cron expressions by the grammar of Quartz, and now and then one with a character that doesn't belong there. */
final class QuartzGrammar {
    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final String SPECIAL = "*?/-,LW#0X";

    private final Random random;

    QuartzGrammar(Random random) {
        this.random = random;
    }

    String expression() {
        boolean byDayOfWeek = random.nextBoolean();
        String expression = Stream.of(
                        oftenZero(field(0, 59)),
                        oftenZero(field(0, 59)),
                        field(0, 23),
                        byDayOfWeek ? "?" : daysOfMonth(),
                        months(),
                        byDayOfWeek ? daysOfWeek() : "?",
                        random.nextInt(3) == 0 ? years() : "")
                .collect(Collectors.joining(" "))
                .strip();
        return switch (random.nextInt(20)) {
            case 0 -> disturbed(expression);
            case 1 -> expression.toLowerCase(Locale.ROOT);
            default -> expression;
        };
    }

    private String disturbed(String expression) {
        int at = random.nextInt(expression.length() + 1);
        return expression.substring(0, at)
                + SPECIAL.charAt(random.nextInt(SPECIAL.length()))
                + expression.substring(at);
    }

    private String oftenZero(String field) {
        return random.nextInt(3) == 0 ? field : "0";
    }

    private String field(int first, int last) {
        return random.nextInt(4) == 0 ? "*" : list(() -> part(first, last));
    }

    private String daysOfMonth() {
        return random.nextInt(4) == 0
                ? "*"
                : list(() -> switch (random.nextInt(8)) {
                    case 0 -> "L";
                    case 1 -> "LW";
                    case 2 -> "L-" + random.nextInt(31);
                    case 3 -> "L-" + random.nextInt(31) + "W";
                    case 4 -> between(1, 31) + "W";
                    default -> part(1, 31);
                });
    }

    private String months() {
        return switch (random.nextInt(4)) {
            case 0 -> list(() -> part(1, 12));
            case 1 -> list(() -> named(MONTHS));
            default -> "*";
        };
    }

    private String daysOfWeek() {
        return switch (random.nextInt(8)) {
            case 0 -> "*";
            case 1 -> one(DAYS) + "L";
            case 2 -> one(DAYS) + "#" + between(1, 5);
            case 3 -> between(1, 7) + "L";
            case 4 -> between(1, 7) + "#" + between(1, 5);
            case 5 -> list(() -> part(1, 7));
            default -> list(() -> named(DAYS));
        };
    }

    private String years() {
        return random.nextInt(4) == 0 ? "*" : list(() -> part(2020, 2040));
    }

    private String list(Supplier<String> part) {
        int size = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
        return Stream.generate(part).limit(size).collect(Collectors.joining(","));
    }

    private String part(int first, int last) {
        int step = 1 + random.nextInt(Math.min(12, last - first + 2));
        return switch (random.nextInt(7)) {
            case 0 -> "*/" + step;
            case 1 -> between(first, last) + "/" + step;
            case 2 -> between(first, last) + "-" + between(first, last) + "/" + step;
            case 3, 4 -> between(first, last) + "-" + between(first, last);
            default -> String.valueOf(between(first, last));
        };
    }

    private String named(List<String> names) {
        return random.nextInt(3) == 0 ? one(names) + "-" + one(names) : one(names);
    }

    private String one(List<String> names) {
        return names.get(random.nextInt(names.size()));
    }

    private int between(int first, int last) {
        return first + random.nextInt(last - first + 1);
    }
}

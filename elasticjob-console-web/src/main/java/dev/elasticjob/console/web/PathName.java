package dev.elasticjob.console.web;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * How a name travels in a path: as it is if it has only letters, digits, dots, dashes and underscores, otherwise as a tilde
 * and its UTF-8 in base64url. Slashes, percent signs and semicolons would not survive every proxy. Pure.
 */
final class PathName {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+");
    private static final Pattern ONLY_DOTS = Pattern.compile("\\.+");

    private PathName() {}

    static String encode(String name) {
        boolean plain =
                PLAIN.matcher(name).matches() && !ONLY_DOTS.matcher(name).matches();
        return plain
                ? name
                : "~" + Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws InvalidRequestException if the segment is no name */
    static String decode(String segment) {
        if (!segment.startsWith("~")) {
            if (PLAIN.matcher(segment).matches()) {
                return segment;
            }
            throw invalid(segment);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(segment.substring(1))))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw invalid(segment);
        }
    }

    private static InvalidRequestException invalid(String segment) {
        return InvalidRequestException.of(
                "path",
                segment,
                "expected a name of letters, digits, dots, dashes and underscores, or \"~\" and a name in base64url");
    }
}

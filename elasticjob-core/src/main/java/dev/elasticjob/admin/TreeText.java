package dev.elasticjob.admin;

import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.codec.HiddenParameters;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A job's nodes as text, one line each: path, version, when it was written, whether it lives with a session, and its
 * data. In the nodes of the definition, values that may be secrets are masked; parameters, wherever they are, if it is
 * asked for. Pure.
 */
final class TreeText {
    private static final int SHOWN = 2_000;
    private static final Pattern BEGINS_JSON = Pattern.compile("\\s*[\\[{]");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final JobTree tree;
    private final Parameters parameters;
    private final StringBuilder text = new StringBuilder();

    private TreeText(JobTree tree, Parameters parameters) {
        this.tree = tree;
        this.parameters = parameters;
    }

    /** Whether the parameters of the job and of its runs are shown. */
    enum Parameters {
        SHOWN,
        MASKED
    }

    /**
     * @param paths parents first
     * @param answer covers them; nodes that are gone are left out
     */
    public static String of(JobTree tree, List<String> paths, RegistryAnswer answer, Parameters parameters) {
        TreeText all = new TreeText(tree, parameters);
        paths.forEach(path -> answer.node(path).ifPresent(node -> all.line(path, node)));
        return all.text.toString();
    }

    private void line(String path, RegistryNode node) {
        text.append(path).append("  v").append(node.version()).append("  ").append(node.modified());
        if (node.isEphemeral()) {
            text.append("  session 0x").append(Long.toHexString(node.ephemeralOwner()));
        }
        if (node.data().length > 0) {
            text.append("  ").append(shown(path, node));
        }
        text.append('\n');
    }

    private String shown(String path, RegistryNode node) {
        boolean definition = path.equals(tree.config()) || path.equals(tree.extension());
        String data =
                definition ? masked(node) : parameters == Parameters.MASKED ? withoutParameters(node) : node.text();
        String printable = data.replaceAll("\\p{Cntrl}", " ");
        return printable.length() > SHOWN ? printable.substring(0, SHOWN) + "…" : printable;
    }

    private String masked(RegistryNode node) {
        try {
            JsonNode json = JSON.readTree(node.data());
            if (json instanceof ObjectNode settings) {
                mask(settings);
                return Secrets.withoutUsers(
                        parameters == Parameters.MASKED
                                ? JobDefinitionCodec.withoutSecretTexts(HiddenParameters.in(settings))
                                        .toString()
                                : settings.toString());
            }
        } catch (JacksonException foreign) {
            // Said below.
        }
        return notShown(node, "that are no JSON object");
    }

    /** Names of instances and the like are no JSON. */
    private static String withoutParameters(RegistryNode node) {
        try {
            JsonNode json = JSON.readTree(node.data());
            if (json instanceof ObjectNode || json instanceof ArrayNode) {
                return HiddenParameters.in(json).toString();
            }
        } catch (JacksonException foreign) {
            if (BEGINS_JSON.matcher(node.text()).lookingAt()) {
                return notShown(node, "that can't be read");
            }
        }
        return node.text();
    }

    private static String notShown(RegistryNode node, String which) {
        return "(%d bytes %s; not shown, because they may contain secrets)".formatted(node.data().length, which);
    }

    private static void mask(JsonNode json) {
        if (json instanceof ArrayNode array) {
            array.forEach(TreeText::mask);
        }
        if (json instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> setting : object.properties()) {
                String key = setting.getKey();
                if (Secrets.isName(key) || key.equals("body") || key.equals("headers")) {
                    object.put(key, Secrets.MASK);
                } else {
                    mask(setting.getValue());
                }
            }
        }
    }
}

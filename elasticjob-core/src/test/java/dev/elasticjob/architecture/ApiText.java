package dev.elasticjob.architecture;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What users can compile against, as text: types, and those that their signatures mention, with what of them is public or
 * protected, in an order that depends on names only.
 */
final class ApiText {
    private static final String OURS = "dev.elasticjob.";
    private static final Pattern PACKAGE = Pattern.compile("\\b[a-z]\\w*\\.(?=[a-zA-Z])");

    private final Predicate<Class<?>> ofModule;
    private final SortedMap<String, String> texts = new TreeMap<>();
    private final Deque<Class<?>> mentioned = new ArrayDeque<>();
    private final SortedSet<String> hidden = new TreeSet<>();

    /** @param ofModule whether a type is this module's: another one's stands in its own text */
    ApiText(Stream<Class<?>> types, Predicate<Class<?>> ofModule) {
        this.ofModule = ofModule;
        types.filter(ApiText::isVisible).forEach(mentioned::add);
        while (!mentioned.isEmpty()) {
            add(mentioned.remove());
        }
    }

    String text() {
        return String.join("", texts.values());
    }

    /** Types that are mentioned, and that users can't see. */
    SortedSet<String> hidden() {
        return hidden;
    }

    private void add(Class<?> type) {
        if (!texts.containsKey(type.getName())) {
            texts.put(type.getName(), "");
            texts.put(type.getName(), textOf(type));
            Arrays.stream(type.getDeclaredClasses()).filter(ApiText::isVisible).forEach(mentioned::add);
        }
    }

    private static boolean isVisible(Class<?> type) {
        boolean ofOutside = Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers());
        return ofOutside
                && !type.isSynthetic()
                && (type.getEnclosingClass() == null || isVisible(type.getEnclosingClass()));
    }

    private String textOf(Class<?> type) {
        StringBuilder text = new StringBuilder();
        text.append(type.getPackageName()).append("  ").append(kind(type)).append(' ');
        text.append(type.getName().substring(type.getPackageName().length() + 1).replace('$', '.'));
        text.append(variables(type.getTypeParameters()));
        List<String> above = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(this::name)
                .filter(name -> !List.of("Object", "Record", "Annotation").contains(name) && !name.startsWith("Enum<"))
                .toList();
        text.append(above.isEmpty() ? "" : " : " + String.join(", ", above)).append('\n');
        members(type).forEach(member -> text.append("    ").append(member).append('\n'));
        return text.toString();
    }

    private static String kind(Class<?> type) {
        String what = type.isAnnotation()
                ? "annotation"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : type.isInterface() ? "interface" : "class";
        String closed = type.isSealed() ? "sealed " : "";
        boolean openClass = what.equals("class");
        String sort = openClass && Modifier.isAbstract(type.getModifiers())
                ? "abstract "
                : openClass && Modifier.isFinal(type.getModifiers()) ? "final " : "";
        return closed + sort + what;
    }

    private List<String> members(Class<?> type) {
        List<String> members = new ArrayList<>();
        Arrays.stream(type.getDeclaredFields())
                .filter(field -> isOutside(field.getModifiers()) && !field.isSynthetic())
                .map(field -> field(type, field))
                .forEach(members::add);
        Arrays.stream(type.getDeclaredConstructors())
                .filter(constructor -> isOutside(constructor.getModifiers()) && !constructor.isSynthetic())
                .map(constructor -> "new" + arguments(constructor))
                .forEach(members::add);
        Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isOutside(method.getModifiers()) && !method.isSynthetic() && !isGiven(type, method))
                .map(this::method)
                .forEach(members::add);
        members.sort(Comparator.naturalOrder());
        return members;
    }

    private static boolean isOutside(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** What every type of its kind has. */
    private static boolean isGiven(Class<?> type, Method method) {
        boolean ofObject = List.of("equals", "hashCode", "toString").contains(method.getName());
        return ofObject || (type.isEnum() && List.of("values", "valueOf").contains(method.getName()));
    }

    private String field(Class<?> type, Field field) {
        return field.isEnumConstant()
                ? field.getName()
                : (Modifier.isStatic(field.getModifiers()) ? "static " : "") + field.getName() + ": "
                        + name(field.getGenericType());
    }

    private String method(Method method) {
        boolean open = method.isDefault();
        return (Modifier.isStatic(method.getModifiers()) ? "static " : open ? "default " : "")
                + variables(method.getTypeParameters())
                + method.getName()
                + arguments(method)
                + (method.getReturnType() == void.class ? "" : ": " + name(method.getGenericReturnType()))
                + (method.getDefaultValue() == null ? "" : " = …");
    }

    private String arguments(Executable executable) {
        String thrown = Arrays.stream(executable.getGenericExceptionTypes())
                .map(this::name)
                .collect(Collectors.joining(", "));
        return Arrays.stream(executable.getGenericParameterTypes())
                        .map(this::name)
                        .collect(Collectors.joining(", ", "(", ")"))
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getName()
                                + Arrays.stream(variable.getBounds())
                                        .map(this::name)
                                        .filter(bound -> !bound.equals("Object"))
                                        .map(bound -> " extends " + bound)
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining(", ", "<", ">"));
    }

    private String name(Type type) {
        mention(type);
        return PACKAGE.matcher(type.getTypeName()).replaceAll("").replace('$', '.');
    }

    private void mention(Type type) {
        if (type instanceof Class<?> plain) {
            Class<?> element = plain.isArray() ? plain.getComponentType() : plain;
            if (element.getName().startsWith(OURS) && !isVisible(element)) {
                hidden.add(element.getName());
            } else if (ofModule.test(element)) {
                mentioned.add(element);
            }
        } else if (type instanceof ParameterizedType generic) {
            mention(generic.getRawType());
            Arrays.stream(generic.getActualTypeArguments()).forEach(this::mention);
        } else if (type instanceof GenericArrayType array) {
            mention(array.getGenericComponentType());
        } else if (type instanceof WildcardType any) {
            Stream.of(any.getUpperBounds(), any.getLowerBounds())
                    .flatMap(Arrays::stream)
                    .forEach(this::mention);
        }
    }
}

package dev.elasticjob.migration.source;

import java.io.StringReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** How XML is read: nothing is loaded, and no entity resolved. */
final class XmlFile {
    private XmlFile() {}

    /** Reads one document. */
    interface Content<T> {
        T of(XMLStreamReader reader) throws XMLStreamException;
    }

    /** @throws UnreadableSourceException if it is malformed */
    static <T> T read(String file, String text, Content<T> content) {
        var factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            return content.of(factory.createXMLStreamReader(new StringReader(text)));
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
            throw new UnreadableSourceException(
                    new SourceLocation(file, line),
                    "expected well-formed XML, but: " + firstLineOf(String.valueOf(e.getMessage())),
                    e);
        }
    }

    static UnreadableSourceException doctype(SourceLocation place) {
        return new UnreadableSourceException(
                place, "expected no DOCTYPE, because nothing outside of the file is read. Remove it");
    }

    /** The parser's message, without the lines about the location. */
    private static String firstLineOf(String message) {
        String[] lines = message.split("\\R");
        return lines[lines.length - 1].replaceFirst("^Message: ", "");
    }
}

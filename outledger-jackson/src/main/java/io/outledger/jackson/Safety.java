// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/** The settings that every mapper of payloads has, whoever made it. */
final class Safety {

  private Safety() {}

  /** Sets them on a mapper that nobody else has; returns it. */
  static ObjectMapper applied(ObjectMapper mapper) {
    mapper.deactivateDefaultTyping();
    mapper.setPolymorphicTypeValidator(new NoClassNames());
    mapper.getFactory().setStreamReadConstraints(StreamReadConstraints.defaults());
    mapper.getFactory().setStreamWriteConstraints(StreamWriteConstraints.defaults());
    mapper.getFactory().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature());
    mapper.getFactory().disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION.mappedFeature());
    // It also refuses what follows a value inside an event, if it is one of Kotlin's value classes:
    // the serializer looks at the end of a payload itself.
    mapper.disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    mapper.addHandler(new UnknownProperties(mapper));
    return mapper;
  }
}

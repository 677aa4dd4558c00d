// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Which changes of a schema a reader of older payloads notices. */
final class BackwardTest {

  private static final String DRAFT_7 = "{'$schema':'http://json-schema.org/draft-07/schema#',";

  private static final JsonMapper JSON = new JsonMapper();

  private static List<String> differences(String older, String newer) {
    return Backward.differences(
        JSON.readTree(older.replace('\'', '"')), JSON.readTree(newer.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'string'} | true",
        "{'type':'string'} | {}",
        "{'type':'integer'} | {'type':'number'}",
        "{'type':'string'} | {'type':['string','null']}",
        "{'enum':['a']} | {'enum':['a','b']}",
        "{'required':['a','b']} | {'required':['b']}",
        "{'minimum':2,'maxLength':3} | {'minimum':1,'maxLength':4}",
        "{'pattern':'a','oneOf':[{}]} | {'title':'x'}",
        "{'pattern':'a'} | {'pattern':'a','description':'x'}",
        "{'oneOf':[{'$ref':'#/$defs/x'}],'$defs':{'x':{}}}"
            + " | {'oneOf':[{'$ref':'#/$defs/x'}],'title':'x','$defs':{'x':{}}}",
        "{'oneOf':[{'$ref':'#/$defs/x'}],'$defs':{'x':{'$ref':'#/$defs/x'},'y':{}}}"
            + " | {'oneOf':[{'$ref':'#/$defs/x'}],'$defs':{'x':{'$ref':'#/$defs/x'}}}",
        "{'additionalProperties':true} | {'additionalProperties':{}}",
        "{'additionalProperties':{}} | {'additionalProperties':true}",
        "{'type':'null'} | {'$schema':'https://json-schema.org/draft/2020-12/schema'}",
        "{'properties':{'a':{'type':'string'}}} | {'properties':{'a':{'type':'string'},'b':{}}}",
        "{'properties':{'a':{'type':'string'}}} | {'properties':{}}",
        "{'allOf':[{'properties':{'a':{}}}],'additionalProperties':false}"
            + " | {'allOf':[{'properties':{'a':{}}}],'additionalProperties':false}",
        "{'allOf':[{'required':['a']}]} | {'additionalProperties':true}",
        "{'properties':{'a':{'$ref':'#/$defs/x'}},'$defs':{'x':{'type':'integer'}}}"
            + " | {'properties':{'a':{'type':'number'}}}",
        "{'$defs':{'x':{'properties':{'n':{'$ref':'#/$defs/x'}}}},'$ref':'#/$defs/x'}"
            + " | {'$defs':{'x':{'properties':{'n':{'$ref':'#/$defs/x'}}}},'$ref':'#/$defs/x'}"
      })
  void whatOlderPayloadsPassIsNoDifference(String older, String newer) {
    assertThat(differences(older, newer)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'allOf':[{'properties':{'a':{}}}]}"
            + " | {'allOf':[{'properties':{'a':{}}}],'additionalProperties':false}"
            + " | the whole: allOf may name",
        "{'$ref':'#/$defs/x','$defs':{'x':{'properties':{'a':{}}}},'title':'t'}"
            + " | {'$ref':'#/$defs/x','$defs':{'x':{'properties':{'a':{}}}},"
            + "'additionalProperties':false} | /a: is refused now",
        "{'$ref':'#/$defs/x','$defs':{'x':{'properties':{'a':{}}}},'minProperties':0}"
            + " | {'$ref':'#/$defs/x','$defs':{'x':{'properties':{'a':{}}}},"
            + "'minProperties':0,'additionalProperties':false} | the whole: $ref may name",
        "{'required':['a']} | {'additionalProperties':false} | the whole: required may name",
        "{'$ref':'#/$defs/x','$defs':{'x':{}},'properties':{'a':{}}}"
            + " | {'$ref':'#/$defs/x','$defs':{'x':{'additionalProperties':false}},"
            + "'properties':{'a':{}}} | the whole: properties may name",
        "{'anyOf':[{'properties':{'a':{}}}]}"
            + " | {'anyOf':[{'properties':{'a':{}}}],'additionalProperties':{'type':'integer'}}"
            + " | the whole: anyOf may name",
        "{'oneOf':[{'properties':{'a':{}}}]}"
            + " | {'oneOf':[{'properties':{'a':{}}}],'additionalProperties':false}"
            + " | the whole: oneOf may name",
        "{'if':{'properties':{'a':{}}}}"
            + " | {'if':{'properties':{'a':{}}},'additionalProperties':false}"
            + " | the whole: if may name",
        "{'dependentSchemas':{'b':{'properties':{'a':{}}}}}"
            + " | {'dependentSchemas':{'b':{'properties':{'a':{}}}},'additionalProperties':false}"
            + " | the whole: dependentSchemas may name"
      })
  void propertiesThatAreNamedElsewhereAreRefusedToo(String older, String newer, String told) {
    assertThat(differences(older, newer)).singleElement().asString().startsWith(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'object','allOf':[{'properties':{'a':{'type':'string'}}}]} | allOf",
        "{'type':'object','anyOf':[{'allOf':[{'properties':{'a':{'type':'string'}}}]}]} | anyOf",
        "{'type':'object','oneOf':[{},{'properties':{'a':{'type':'string'}}}]} | oneOf",
        "{'type':'object','not':{'properties':{'a':{'type':'integer'}},'required':['a']}} | not",
        "{'type':'object','if':{'properties':{'a':{}}}} | if",
        "{'type':'object','if':{},'then':{'properties':{'a':{'type':'string'}}}} | then",
        "{'type':'object','if':{},'else':{'properties':{'a':{'type':'string'}}}} | else",
        "{'type':'object','dependentSchemas':{'b':{'properties':{'a':{}}}}} | dependentSchemas",
        "{'type':'object','dependentRequired':{'b':['a']}} | dependentRequired",
        "{'type':'object','dependencies':{'b':{'properties':{'a':{}}}}} | dependencies",
        "{'type':'object','required':['a']} | required",
        "{'type':'object','propertyNames':{'enum':['a']}} | propertyNames",
        "{'type':'object','unevaluatedProperties':true} | unevaluatedProperties",
        "{'type':'object','enum':[{'a':'b'}]} | enum",
        "{'type':'object','const':{'a':'b'}} | const",
        "{'type':'object','allOf':[{'additionalProperties':true}]} | allOf",
        "{'type':'object','allOf':[{'patternProperties':{'x':{}}}]} | allOf",
        "{'type':'object','allOf':[{'$ref':'#anchor'}]} | allOf",
        "{'type':'object','$dynamicRef':'#x'} | $dynamicRef",
        "{'type':'object','$ref':'#/$defs/x','$defs':{'x':{'properties':{'a':{}}}}} | $ref"
      })
  void aPropertyThatAnyRuleMayHaveNamedIsNotNew(String older, String rule) {
    String newer = "{'type':'object','properties':{'a':{'type':'integer'}}}";
    String told = "/a: is new, and " + rule + " may have named it";
    assertThat(differences(older, newer)).containsExactly(told);
    assertThat(differences(older, "{'type':'object','properties':{'a':{}}}")).isEmpty();
    assertThat(differences(older, "{'type':'object','properties':{'c':true}}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'allOf':[{'properties':{'b':{}}}]}",
        "{'allOf':[{'properties':{'b':{'properties':{'a':{}}}}}]}",
        "{'allOf':[{'properties':{'a':{}}}],'additionalProperties':false}",
        "{'allOf':[{'$ref':'#/$defs/x'}],'$defs':{'x':{'allOf':[{'$ref':'#/$defs/x'}]}}}",
        "{'items':{'properties':{'a':{}}},'$defs':{'x':{'properties':{'a':{}}}}}",
        "{'$ref':'#/$defs/x','$defs':{'x':{'properties':{'b':{}}}}}"
      })
  void aPropertyThatNoRuleNamesIsNew(String older) {
    assertThat(differences(older, "{'properties':{'a':{'type':'integer'}}}")).isEmpty();
  }

  @Test
  void aPropertyWithinOneIsNamedByTheSameRules() {
    String plain = "{'properties':{'a':{'properties':{'b':{}}}}";
    String more = "{'properties':{'a':{'properties':{'b':{},'c':{'type':'integer'}}}}}";
    String text = "{'properties':{'c':{'type':'string'}}}";
    assertThat(differences(plain + "}", more)).isEmpty();
    assertThat(differences(plain + ",'allOf':[{'properties':{'a':" + text + "}}]}", more))
        .containsExactly("/a/c: is new, and allOf may have named it");
    assertThat(differences(plain + ",'anyOf':[{'additionalProperties':" + text + "}]}", more))
        .containsExactly("/a/c: is new, and anyOf may have named it");
    assertThat(differences(plain + ",'enum':[{'a':{'c':'x'}}]}", more))
        .containsExactly("/a/c: is new, and enum may have named it");
  }

  @Test
  void anItemIsSpokenOfByTheSameRules() {
    String more = "{'items':{'properties':{'c':{'type':'integer'}}}}";
    String text = "{'properties':{'c':{'type':'string'}}}";
    assertThat(differences("{'items':{'properties':{}}}", more)).isEmpty();
    assertThat(differences("{'items':{'properties':{}},'allOf':[{'items':" + text + "}]}", more))
        .containsExactly("/items/c: is new, and allOf may have named it");
    assertThat(differences("{'items':{'properties':{}},'contains':" + text + "}", more))
        .containsExactly("/items/c: is new, and properties may have named it");
  }

  /** The two that were compared at one place are compared again where more is said of another. */
  @Test
  void whatIsNoDifferenceAtOnePlaceMayBeOneAtTheNext() {
    String both = "{'properties':{'p':{'$ref':'#/$defs/n'},'q':{'$ref':'#/$defs/n'}}";
    String older = ",'$defs':{'n':{'properties':{'b':{}}}}";
    String newer = ",'$defs':{'n':{'properties':{'b':{},'c':{'type':'integer'}}}}}";
    String more = ",'allOf':[{'properties':{'q':{'properties':{'c':{'type':'string'}}}}}]}";
    assertThat(differences(both + older + "}", both + newer)).isEmpty();
    assertThat(differences(both + older + more, both + newer))
        .containsExactly("/q/c: is new, and allOf may have named it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'$ref':'#/$defs/x','$defs':{'x':{'properties':{'a':{'type':'string'}}}}}",
        "{'$schema':'https://json-schema.org/draft/2020-12/schema','$id':'https://shop/order',"
            + "'title':'Order','description':'d','$comment':'c','$ref':'#/$defs/x',"
            + "'$defs':{'x':{'properties':{'a':{'type':'string'}}}}}",
        "{'$ref':'#/$defs/y','$defs':{'y':{'$ref':'#/$defs/x','title':'y'},"
            + "'x':{'properties':{'a':{'type':'string'}}}}}"
      })
  void aReferenceBesideNotesIsWhatItLeadsTo(String older) {
    String text = "{'properties':{'a':{'type':'string'}}}";
    String number = "{'properties':{'a':{'type':'integer'}}}";
    assertThat(differences(older, text)).isEmpty();
    assertThat(differences(older, older)).isEmpty();
    assertThat(differences(text, older)).isEmpty();
    assertThat(differences(older, number)).singleElement().asString().startsWith("/a: type was");
    assertThat(differences(number, older)).singleElement().asString().startsWith("/a: type was");
  }

  @Test
  void referencesAreFollowedTogether() {
    String chain =
        "{'properties':{'a':{'$ref':'#/$defs/x'}},'$defs':{'x':{'$ref':'#/$defs/y',"
            + "'minProperties':1},'y':{'properties':{'b':{}}}}}";
    assertThat(differences(chain, chain)).isEmpty();
    String around = "{'$ref':'#/$defs/x','properties':{'a':{'type':'string'}},'$defs':{'x':";
    String now = around + "{'properties':{'a':{'type':'integer'}}}}}";
    assertThat(differences(around + "{}}}", now))
        .containsExactly("/a: is new, and properties may have named it");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'oneOf':[{'$ref':'#/items/$defs/y'}],'items':{'$defs':{'y':{}}}}"
            + " | {'oneOf':[{'$ref':'#/items/$defs/y'}],'items':{'$defs':{'y':{'type':'null'}}}}"
            + " | the whole: oneOf has changed",
        "{'oneOf':[{'$ref':'#/$defs/x'}],"
            + "'$defs':{'x':{'$ref':'#/items/$defs/y'}},'items':{'$defs':{'y':{}}}}"
            + " | {'oneOf':[{'$ref':'#/$defs/x'}],"
            + "'$defs':{'x':{'$ref':'#/items/$defs/y'}},'items':{'$defs':{'y':{'type':'null'}}}}"
            + " | the whole: oneOf has changed",
        "{'oneOf':[{'$dynamicRef':'#x'}]} | {'oneOf':[{'$dynamicRef':'#x'}],'title':'a'}"
            + " | the whole: oneOf has changed",
        "{'$schema':'https://json-schema.org/draft/2019-09/schema',"
            + "'items':[{'$ref':'#/$defs/x'}],'$defs':{'x':{}}}"
            + " | {'$schema':'https://json-schema.org/draft/2019-09/schema',"
            + "'items':[{'$ref':'#/$defs/x'}],'$defs':{'x':{'type':'null'}}}"
            + " | /items: cannot be compared",
        "{'properties':{'i':{'$ref':'#/$defs/x','unevaluatedProperties':false}},"
            + "'$defs':{'x':{'properties':{'a':{},'b':{}}}}}"
            + " | {'properties':{'i':{'$ref':'#/$defs/x','unevaluatedProperties':false}},"
            + "'$defs':{'x':{'properties':{'a':{}}}}} | /i: unevaluatedProperties",
        "{'allOf':[{'prefixItems':[{}]}],'unevaluatedItems':false}"
            + " | {'unevaluatedItems':false} | the whole: unevaluatedItems",
        "{'additionalProperties':true} | {'additionalProperties':{'type':'integer'}}"
            + " | /*: type is new",
        "{'additionalProperties':true} | {'additionalProperties':false}"
            + " | the whole: additionalProperties are refused",
        "{'minItems':1} | {'minItems':2} | the whole: minItems has changed",
        "{'minProperties':1} | {'minProperties':2} | the whole: minProperties has changed",
        "{'maxItems':2} | {'maxItems':1} | the whole: maxItems has changed",
        "{} | {'const':1} | the whole: const is new"
      })
  void whatIsTheSameInWordsAloneIsTold(String older, String newer, String told) {
    assertThat(differences(older, newer)).singleElement().asString().startsWith(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'number'} | {'type':'integer'} | the whole: type was",
        "{} | {'type':'integer'} | the whole: type is new",
        "{'enum':['a','b']} | {'enum':['a']} | the whole: enum has lost a value",
        "{} | {'enum':['a']} | the whole: enum is new",
        "{'required':['b']} | {'required':['a','b']} | /a: is required now",
        "{'minimum':1} | {'minimum':2} | the whole: minimum has changed",
        "{'maximum':2} | {'maximum':1} | the whole: maximum has changed",
        "{} | {'maxLength':9} | the whole: maxLength is new",
        "{'pattern':'a'} | {'pattern':'b'} | the whole: pattern has changed",
        "{} | {'oneOf':[{}]} | the whole: oneOf is new",
        "{'items':{'type':'string'}} | {'items':{'type':'integer'}} | /items: type was",
        "{'properties':{'a':{'properties':{'b':{}}}}}"
            + " | {'properties':{'a':{'properties':{'b':{'type':'string'}}}}} | /a/b: type is new",
        "{'properties':{'a':{}}} | {'additionalProperties':false} | /a: is refused now",
        "{'properties':{'a':{'type':'string'}}} | {'additionalProperties':{'type':'integer'}}"
            + " | /a: type was",
        "{'additionalProperties':{'type':'string'}} | {'additionalProperties':{'type':'integer'}}"
            + " | /*: type was",
        "{'properties':{'a':{'$ref':'#/$defs/x'}},'$defs':{'x':{'type':'string'}}}"
            + " | {'properties':{'a':{'$ref':'#/$defs/x'}},'$defs':{'x':{'type':'integer'}}}"
            + " | /a: type was",
        "{'additionalProperties':{'type':'string'}} | {'properties':{'a':{'type':'integer'}}}"
            + " | /a: type was",
        "{'prefixItems':[{}],'items':{'type':'string'}} | {'items':{'type':'string'}}"
            + " | the whole: prefixItems is gone",
        "{'patternProperties':{'a':{}},'additionalProperties':false} |"
            + " {'additionalProperties':false} | the whole: patternProperties is gone",
        "{'allOf':[{'properties':{'a':{}}}],'unevaluatedProperties':false}"
            + " | {'unevaluatedProperties':false} | the whole: unevaluatedProperties",
        "{'$ref':'#/$defs/x','title':'a','$defs':{'x':{'type':'string'}}}"
            + " | {'$ref':'#/$defs/x','title':'b','$defs':{'x':{'type':'null'}}}"
            + " | the whole: type was",
        "{'oneOf':[{'$ref':'#/$defs/x'}],'$defs':{'x':{'type':'string'}}}"
            + " | {'oneOf':[{'$ref':'#/$defs/x'}],'$defs':{'x':{'type':'null'}}}"
            + " | the whole: oneOf has changed",
        "{'not':{'items':{'$ref':'#/definitions/x'}},'definitions':{'x':{'type':'null'}}}"
            + " | {'not':{'items':{'$ref':'#/definitions/x'}},'definitions':{'x':{}}}"
            + " | the whole: not has changed",
        "{'contains':{'type':'null'},'minContains':0} | {'contains':{'type':'null'}}"
            + " | the whole: minContains is gone",
        "{'format':'date'} | {'format':'date','$schema':'http://json-schema.org/draft-07/schema#'}"
            + " | the whole: $schema has changed",
        "true | false | the whole: cannot be compared"
      })
  void whatOlderPayloadsMayNotPassIsTold(String older, String newer, String difference) {
    assertThat(differences(older, newer)).singleElement().asString().startsWith(difference);
  }

  @Test
  void eachDifferenceIsTold() {
    assertThat(
            differences(
                "{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'string'}}}",
                "{'type':'object','properties':{'a':{'type':'integer'},'b':{'type':'null'}}}"))
        .hasSize(2);
  }

  @Test
  void propertyThatAPatternMayHaveNamedIsTold() {
    String pattern = "{'patternProperties':{'x-':{'type':'string'}}";
    assertThat(differences(pattern + "}", pattern + ",'properties':{'x-1':{'type':'integer'}}}"))
        .containsExactly("/x-1: is new, and patternProperties may have named it");
    assertThat(differences(pattern + "}", pattern + ",'properties':{'x-1':{}}}")).isEmpty();
  }

  @Test
  void untilDraftSevenNothingCountsBesideAReference() {
    String any = DRAFT_7 + "'definitions':{'x':{}},'properties':{'a':{'$ref':'#/definitions/x'";
    String text = DRAFT_7 + "'definitions':{'x':{}},'properties':{'a':{'type':'string'}}}";
    assertThat(differences(any + ",'type':'string'}}}", text)).containsExactly("/a: type is new");
    assertThat(differences(text, any + ",'enum':['b']}}}")).isEmpty();
  }
}

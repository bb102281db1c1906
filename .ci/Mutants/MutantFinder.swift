import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds every change of a file that is worth a trial, by its syntax tree.
///
/// Left alone is what only a programming error reaches (`precondition` and its like), and texts.
final class MutantFinder: SyntaxVisitor {
    private(set) var mutants: [Mutant] = []
    private let path: String
    private let lines: SourceLocationConverter

    static func mutants(of source: String, path: String) -> [Mutant] {
        let parsed = Parser.parse(source: source)
        // Operators are given their precedence; what is unknown stays a flat list.
        let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
        let finder = MutantFinder(path: path, tree: folded)
        finder.walk(folded)
        return finder.mutants
    }

    private init(path: String, tree: some SyntaxProtocol) {
        self.path = path
        lines = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    /// Notes that `part` becomes `after`; the syntax that is there in both ways is `whole`.
    private func add(
        _ kind: Mutant.Kind, _ part: some SyntaxProtocol, _ after: String,
        in whole: (any SyntaxProtocol)? = nil, as form: Mutant.Form = .expression
    ) {
        add(kind, bytes(of: part), part.trimmedDescription, after, in: whole ?? part, as: form)
    }

    private func add(
        _ kind: Mutant.Kind, _ part: Range<Int>, _ before: String, _ after: String,
        in whole: any SyntaxProtocol, as form: Mutant.Form
    ) {
        let range = bytes(of: whole)
        var variant = Array(whole.trimmedDescription.utf8)
        variant.replaceSubrange(
            part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound,
            with: after.utf8)
        mutants.append(
            Mutant(
                kind: kind, path: path,
                line: lines.location(for: AbsolutePosition(utf8Offset: part.lowerBound)).line,
                before: before, after: after,
                // An emptied body is left as soon as it begins.
                range: form == .emptied ? range.lowerBound + 1..<range.lowerBound + 1 : range,
                variant: String(decoding: variant, as: UTF8.self), form: form))
    }

    private func bytes(of node: any SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia
            .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }

    /// Whether a node is one of several statements, so that nobody takes its value.
    private func isStatement(_ node: some SyntaxProtocol) -> Bool {
        let list = node.parent?.as(CodeBlockItemSyntax.self)?.parent
        return list?.as(CodeBlockItemListSyntax.self).map { $0.count > 1 } ?? false
    }

    // MARK: Operators

    private static let comparisons = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    ]
    private static let arithmetic = [
        "+": "-", "-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+", "&*": "&+", "+=": "-=",
        "-=": "+=", "&+=": "&-=", "&-=": "&+=", "*=": "/=", "/=": "*=", "<<": ">>", ">>": "<<",
        "|": "&", "&": "|", "^": "&",
    ]
    /// Both kinds of ranges have types of their own: the bound moves instead.
    private static let ranges = ["..<": " + 1", "...": " - 1"]
    private static let logic = ["&&": "||", "||": "&&"]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self) else {
            return .visitChildren
        }
        let name = sign.operator.text
        if let other = Self.comparisons[name] { add(.comparison, sign, other, in: node) }
        if let other = Self.arithmetic[name] {
            let isAlone = name.hasSuffix("=") && node.parent?.is(CodeBlockItemSyntax.self) == true
            add(.arithmetic, sign, other, in: node, as: isAlone ? .branches : .expression)
        }
        if let step = Self.ranges[name] {
            add(.comparison, node.rightOperand, "(\(node.rightOperand.trimmedDescription))\(step)")
        }
        if let other = Self.logic[name] {
            add(.logic, sign, other, in: node)
            add(.clauseDropped, node, node.leftOperand.trimmedDescription)
            add(.clauseDropped, node, node.rightOperand.trimmedDescription)
        }
        if name == "??" { add(.defaultDropped, node, node.rightOperand.trimmedDescription) }
        return .visitChildren
    }

    // MARK: Constants

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let text = node.literal.text.replacing("_", with: "")
        guard let value = Int(text) else { return .skipChildren }
        add(.constant, node, "\(value + 1)")
        if value > 0 { add(.constant, node, "\(value - 1)") }
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        add(.constant, node, node.literal.text == "true" ? "false" : "true")
        return .skipChildren
    }

    // MARK: Conditions

    override func visit(_ node: ConditionElementListSyntax) -> SyntaxVisitorContinueKind {
        for element in node {
            guard case .expression(let condition) = element.condition else { continue }
            add(.negated, condition, "!(\(condition.trimmedDescription))")
            if node.count > 1 { add(.clauseDropped, condition, "true") }
        }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        add(.negated, node.condition, "!(\(node.condition.trimmedDescription))")
        return .visitChildren
    }

    // MARK: Statements and bodies

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if case .expr(let expression) = node.item, isEffect(expression), isStatement(expression) {
            add(.statementRemoved, expression, "", as: .removed)
        }
        return .visitChildren
    }

    /// Whether an expression stands for what it does: an assignment or a call.
    private func isEffect(_ expression: ExprSyntax) -> Bool {
        if let call = expression.as(FunctionCallExprSyntax.self) { return !isGuard(call) }
        if let tried = expression.as(TryExprSyntax.self) { return isEffect(tried.expression) }
        guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
        let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        return infix.operator.is(AssignmentExprSyntax.self)
            || name.hasSuffix("=") && Self.comparisons[name] == nil
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        // What is hashed decides nothing but speed.
        if let body = node.body, node.signature.returnClause == nil, body.statements.count > 0,
            node.name.text != "hash"
        {
            add(.bodyEmptied, body, "{}", as: .emptied)
        }
        return .visitChildren
    }

    override func visit(_ node: SwitchCaseListSyntax) -> SyntaxVisitorContinueKind {
        let cases = node.compactMap { $0.as(SwitchCaseSyntax.self) }
        for (one, next) in zip(cases, cases.dropFirst())
        where one.statements.trimmedDescription != next.statements.trimmedDescription {
            add(.caseBody, one.statements, next.statements.trimmedDescription, as: .branches)
        }
        return .visitChildren
    }

    // MARK: Calls

    private static let guardsOfTheProgrammer: Set = [
        "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
    ]

    private func isGuard(_ call: FunctionCallExprSyntax) -> Bool {
        Self.guardsOfTheProgrammer.contains(call.calledExpression.trimmedDescription)
    }

    private static let symmetric: Set = ["max", "min", "Swift.max", "Swift.min"]

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if isGuard(node) { return .skipChildren }
        if Self.symmetric.contains(node.calledExpression.trimmedDescription) {
            return .visitChildren
        }
        let arguments = Array(node.arguments)
        for (one, next) in zip(arguments, arguments.dropFirst())
        where isPlain(one.expression) && isPlain(next.expression) {
            let (first, second) = (
                one.expression.trimmedDescription, next.expression.trimmedDescription
            )
            guard first != second else { continue }
            let names = [one, next].map { $0.label.map { "\($0.text): " } ?? "" }
            let whole = chain(of: ExprSyntax(node))
            add(
                .argumentsSwapped,
                bytes(of: one).lowerBound..<bytes(of: next.expression).upperBound,
                "\(one.trimmedDescription) \(next.trimmedDescription)",
                "\(names[0])\(second), \(names[1])\(first)",
                in: whole, as: isStatement(whole) ? .branches : .expression)
        }
        return .visitChildren
    }

    /// The chain of members and calls that begins with an expression: `a?.b(c).d` is one value.
    private func chain(of expression: ExprSyntax) -> ExprSyntax {
        guard let parent = expression.parent?.as(ExprSyntax.self),
            bytes(of: parent).lowerBound == bytes(of: expression).lowerBound,
            [
                SyntaxKind.memberAccessExpr, .functionCallExpr, .subscriptCallExpr,
                .optionalChainingExpr, .forceUnwrapExpr,
            ].contains(parent.kind)
        else { return expression }
        return chain(of: parent)
    }

    /// A name or a chain of names; values of the same type are most often handed on so.
    private func isPlain(_ expression: ExprSyntax) -> Bool {
        if expression.is(DeclReferenceExprSyntax.self) { return true }
        guard let member = expression.as(MemberAccessExprSyntax.self), let base = member.base else {
            return false
        }
        return isPlain(base)
    }
}

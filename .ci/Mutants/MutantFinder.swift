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

    private func add(_ kind: Mutant.Kind, _ node: some SyntaxProtocol, _ after: String) {
        let start = node.positionAfterSkippingLeadingTrivia
        let end = node.endPositionBeforeTrailingTrivia
        mutants.append(
            Mutant(
                kind: kind, path: path, line: lines.location(for: start).line,
                range: start.utf8Offset..<end.utf8Offset, before: node.trimmedDescription,
                after: after))
    }

    // MARK: Operators

    private static let comparisons = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    ]
    private static let arithmetic = [
        "+": "-", "-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+", "&*": "&+", "+=": "-=",
        "-=": "+=", "&+=": "&-=", "&-=": "&+=", "*=": "/=", "/=": "*=", "<<": ">>", ">>": "<<",
        "|": "&", "&": "|", "^": "&", "..<": "...", "...": "..<",
    ]
    private static let logic = ["&&": "||", "||": "&&"]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self) else {
            return .visitChildren
        }
        let name = sign.operator.text
        if let other = Self.comparisons[name] { add(.comparison, sign, other) }
        if let other = Self.arithmetic[name] { add(.arithmetic, sign, other) }
        if let other = Self.logic[name] {
            add(.logic, sign, other)
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
        if case .expr(let expression) = node.item, isEffect(expression),
            node.parent?.as(CodeBlockItemListSyntax.self).map({ $0.count > 1 }) ?? false
        {
            add(.statementRemoved, expression, "")
        }
        return .visitChildren
    }

    /// Whether an expression stands for what it does: an assignment or a call.
    private func isEffect(_ expression: ExprSyntax) -> Bool {
        if expression.is(FunctionCallExprSyntax.self) { return true }
        if let tried = expression.as(TryExprSyntax.self) { return isEffect(tried.expression) }
        guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
        let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text ?? ""
        return infix.operator.is(AssignmentExprSyntax.self)
            || name.hasSuffix("=") && Self.comparisons[name] == nil
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if let body = node.body, node.signature.returnClause == nil, body.statements.count > 0 {
            add(.bodyEmptied, body, "{}")
        }
        return .visitChildren
    }

    override func visit(_ node: SwitchCaseListSyntax) -> SyntaxVisitorContinueKind {
        let cases = node.compactMap { $0.as(SwitchCaseSyntax.self) }
        for (one, next) in zip(cases, cases.dropFirst())
        where one.statements.trimmedDescription != next.statements.trimmedDescription {
            add(.caseBody, one.statements, next.statements.trimmedDescription)
        }
        return .visitChildren
    }

    // MARK: Calls

    private static let guardsOfTheProgrammer: Set = [
        "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
    ]

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if Self.guardsOfTheProgrammer.contains(node.calledExpression.trimmedDescription) {
            return .skipChildren
        }
        let arguments = Array(node.arguments)
        for (one, next) in zip(arguments, arguments.dropFirst())
        where isPlain(one.expression) && isPlain(next.expression) {
            let (first, second) = (
                one.expression.trimmedDescription, next.expression.trimmedDescription
            )
            guard first != second else { continue }
            let names = [one, next].map { $0.label.map { "\($0.text): " } ?? "" }
            swap(one, next, "\(names[0])\(second), \(names[1])\(first)")
        }
        return .visitChildren
    }

    private func swap(_ one: LabeledExprSyntax, _ next: LabeledExprSyntax, _ after: String) {
        let start = one.positionAfterSkippingLeadingTrivia
        let end = next.expression.endPositionBeforeTrailingTrivia
        mutants.append(
            Mutant(
                kind: .argumentsSwapped, path: path, line: lines.location(for: start).line,
                range: start.utf8Offset..<end.utf8Offset,
                before: "\(one.trimmedDescription) \(next.trimmedDescription)", after: after))
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
